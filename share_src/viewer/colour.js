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
 * The same as a point of an image: its bytes are red, green, blue and opacity, on machines whose numbers begin with the lowest byte.
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
