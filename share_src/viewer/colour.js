// SPDX-License-Identifier: BSD-3-Clause
// The colour of a box.
import {isDark} from './canvas.js';
import {element, legend} from './dom.js';

const Function = 1, Mpi = 3, OpenMp = 6; // kinds of paths (vfd::NodeKind)

/**
 * Hue in degrees, saturation and lightness in percent: by the kind of a path, and by the first letters of a name, so that what belongs together looks alike.
 * @param {string} title
 * @param {number} kind
 * @param {boolean} dark
 */
function shade(title, kind, dark) {
    let hash = 7;
    for (let i = 0; i < Math.min(title.length, 6); i++) hash = hash * 31 + title.charCodeAt(i) & 0xffff;
    const hue = kind === Mpi ? 205 + hash % 25 : kind === OpenMp ? 110 + hash % 30 : 18 + hash % 36; // MPI blue, OpenMP green
    return dark ? [hue, 45, 30 + hash % 9] : [hue, 75, 70 + hash % 12];
}

/**
 * @param {string} title
 * @param {number} kind
 * @param {boolean} dark
 */
export function colour(title, kind, dark) {
    const [hue, saturation, lightness] = shade(title, kind, dark);
    return `hsl(${hue} ${saturation}% ${lightness}%)`;
}

/**
 * What the colours of the boxes of a tree mean.
 * @param {import('./data.js').CallTree} tree
 */
export function legendOfKinds(tree) {
    const shown = (/** @type {number} */ kind, /** @type {string} */ text) => legend(colour('', kind, isDark()), text);
    return element('span', {}, shown(Function, 'functions'), tree.column.kind.includes(Mpi) && shown(Mpi, 'MPI'), tree.column.kind.includes(OpenMp) && shown(OpenMp, 'OpenMP'),
        element('span', {class: 'faint'}, 'shades: names that begin alike'));
}

/**
 * How much a row or box has changed, from -1, much faster, to 1, much slower: in full where that is certain, and pale where it may be noise.
 * @param {import('./difference_data.js').Change} one
 */
function changeOf({base, new: next, verdict}) {
    if (verdict === 'new' || verdict === 'gone') return verdict === 'new' ? 1 : -1;
    if (verdict === 'same' || base <= 0 || next <= 0) return 0;
    const size = Math.max(-1, Math.min(1, Math.log2(next / base))); // a factor of two and more is as much as can be seen
    return verdict === 'not known' ? 0.35 * size : Math.sign(size) * (0.55 + 0.45 * Math.abs(size));
}

/**
 * Red is slower, blue is faster, grey is the same.
 * @param {number} size from -1 to 1
 * @param {boolean} dark
 */
function colourOfSize(size, dark) {
    const much = Math.abs(size), hue = size > 0 ? 6 : 212;
    if (much < 0.02) return dark ? 'hsl(220 6% 34%)' : 'hsl(220 8% 85%)';
    return dark ? `hsl(${hue} ${20 + 45 * much}% ${34 + 10 * much}%)` : `hsl(${hue} ${60 + 25 * much}% ${88 - 24 * much}%)`;
}

/**
 * @param {import('./difference_data.js').Change} one
 * @param {boolean} dark
 */
export const changeColour = (one, dark) => colourOfSize(changeOf(one), dark);

/** @param {import('./difference_data.js').Change} one */
export const verdictMark = one => element('span', {class: 'mark verdict', style: `background: ${changeColour(one, isDark())}`});

export function legendOfChanges() {
    const dark = isDark();
    return element('span', {}, ...[[1, 'slower, or new'], [0.3, 'slower, which may be noise'], [0, 'the same'], [-0.3, 'faster, which may be noise'], [-1, 'faster, or gone']]
        .map(([size, text]) => legend(colourOfSize(Number(size), dark), String(text))), element('span', {class: 'faint'}, 'by its own time, without what it calls'));
}

/**
 * The colour of a name as a point of an image: its bytes are red, green, blue and opacity, on machines whose numbers begin with the lowest byte.
 * @param {string} title
 * @param {number} kind
 * @param {boolean} dark
 */
export function point(title, kind, dark) {
    const [hue, saturation, lightness] = shade(title, kind, dark);
    const range = saturation / 100 * Math.min(lightness / 100, 1 - lightness / 100);
    const part = (/** @type {number} */ n) => {
        const k = (n + hue / 30) % 12;
        return Math.round(255 * (lightness / 100 - range * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
    };
    return (0xff000000 | part(4) << 16 | part(8) << 8 | part(0)) >>> 0;
}
