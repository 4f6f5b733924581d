// SPDX-License-Identifier: BSD-3-Clause
// The source text of functions, with their times beside: functions on the left, the file of the chosen one on the right.
import {bar, element} from './dom.js';
import {count, counted, duration, percent} from './format.js';
import {Rows} from './rows.js';

/**
 * Lines of a file, by file and line.
 * @typedef {{file: string, line: number, text: string}} Excerpt
 */

/**
 * An excerpt with the functions that begin there: instances of a template share it.
 * @param {Excerpt} excerpt
 * @param {any[]} functions
 * @param {number} whole
 * @param {import('./data.js').Profile} profile
 * @param {import('./state.js').State} state
 * @param {boolean} chosen
 */
function block(excerpt, functions, whole, profile, state, chosen) {
    const lines = excerpt.text.split('\n').length - 1, numbers = Array.from({length: lines}, (_, i) => excerpt.line + i).join('\n');
    const exclusive = functions.reduce((sum, one) => sum + one.exclusive_ns, 0);
    return element('div', {class: 'excerpt' + (chosen ? ' chosen' : '')},
        element('div', {class: 'beside'}, ...functions.slice(0, 5).map(one => element('div', {}, element('a', {href: state.address({view: 'flame', q: one.function}), title: one.function}, profile.tree.briefOf(one.function)))),
            functions.length > 5 && element('div', {class: 'faint'}, `and ${functions.length - 5} others`),
            bar(exclusive / whole, 14), element('div', {}, `${duration(exclusive)} by itself, ${percent(exclusive / whole)}`),
            element('div', {class: 'faint'}, `${functions.length === 1 ? `${duration(functions[0].inclusive_ns)} with callees, ` : ''}${counted(functions.reduce((sum, one) => sum + one.calls, 0), 'call')}`)),
        element('pre', {class: 'numbers', 'aria-hidden': true}, numbers), element('pre', {}, excerpt.text));
}

/** @type {import('./main.js').View} */
export const source = {
    name: 'source',
    title: 'Source',
    present: (_profile, run) => run.sources.length !== 0,
    show(place, profile, state, run) {
        const functions = profile.document.functions.filter((/** @type {any} */ f) => run.sourceOf(f));
        /** @type {Map<Excerpt, any[]>} */
        const at = new Map();
        for (const one of functions) at.set(run.sourceOf(one), [...at.get(run.sourceOf(one)) ?? [], one]);
        const most = functions.reduce((/** @type {any} */ a, /** @type {any} */ b) => !a || b.exclusive_ns > a.exclusive_ns ? b : a, null);
        if (!most) return place.append(element('p', {class: 'faint'}, 'The page has no source of the functions of this profile.'));
        const chosen = functions.find((/** @type {any} */ f) => f.function === state.get('function')) ?? most;
        const table = new Rows([
            {title: 'exclusive', width: '8.5em', number: true, value: (/** @type {any} */ f) => f.exclusive_ns, shown: (/** @type {any} */ f) => duration(f.exclusive_ns)},
            {title: 'function', width: 'minmax(8em, 1fr)', value: (/** @type {any} */ f) => f.function, shown: (/** @type {any} */ f) => element('span', {title: f.function}, profile.tree.briefOf(f.function))},
            {title: 'file', width: '9em', value: (/** @type {any} */ f) => `${f.file}:${f.line}`, shown: (/** @type {any} */ f) => element('span', {title: f.file}, `${f.file.replace(/.*\//, '')}:${f.line}`)},
        ], {sort: state.get('sort', 'exclusive'), sorted: title => state.note({sort: title}), chosen: f => state.go({function: f.function}), isChosen: f => f === chosen});
        const excerpts = run.sources.filter(one => one.file === chosen.file && at.has(one));
        /** @type {Node[]} */
        const parts = [];
        let next = 1, shown = null;
        for (const one of excerpts) {
            if (one.line > next) parts.push(element('p', {class: 'faint gap'}, next === 1 ? `lines 1 to ${count(one.line - 1)} are not in the page` : `lines ${count(next)} to ${count(one.line - 1)}`));
            const its = block(one, at.get(one) ?? [], profile.work, profile, state, one.line === chosen.line);
            if (one.line === chosen.line) shown = its;
            parts.push(its);
            next = Math.max(next, one.line + one.text.split('\n').length - 1);
        }
        const listing = element('div', {class: 'listing', tabindex: 0}, ...parts);
        place.append(element('div', {class: 'source'}, element('div', {}, element('p', {class: 'faint'}, `${counted(functions.length, 'function')} of ${count(profile.document.functions.length)} with source`), table.box),
            element('div', {}, element('p', {class: 'faint'}, chosen.file), listing)));
        table.fill(functions.slice());
        if (shown) listing.scrollTop = shown.offsetTop - listing.offsetTop;
    },
};
