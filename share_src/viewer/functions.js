// SPDX-License-Identifier: BSD-3-Clause
// All functions, or all call paths, as a table to sort and to search.
import {element} from './dom.js';
import {count, duration, percent} from './format.js';
import {spread, strip} from './rank_times.js';
import {Rows} from './rows.js';

/**
 * What the table shows: rows of any kind, the text that a search looks at, and what a click does.
 * @typedef {{columns: import('./rows.js').Column[], rows: any[], text: (row: any) => string, chosen: (row: any) => void, what: string}} Listing
 */

/** How long single calls take: titles of columns, and columns of the tree. */
const Durations = [['shortest call', 'shortest_call'], ['median', 'median_call'], ['90 %', 'p90_call'], ['99 %', 'p99_call'], ['longest call', 'longest_call']];

const time = (/** @type {string} */ title, /** @type {(row: any) => number} */ value) => ({title, width: '8.5em', number: true, value, shown: (/** @type {any} */ row) => duration(value(row))});

/**
 * A bar for each rank; rows are sorted by how much the slowest one exceeds the average.
 * @param {import('./rank_times.js').RankTimes} ranks
 * @returns {import('./rows.js').Column}
 */
function stripColumn(ranks) {
    const excess = (/** @type {any} */ f) => { const times = ranks.of(f.function); return times ? spread(times).excess : 0; };
    return {title: 'by rank', width: '9em', number: true, value: excess, shown: (/** @type {any} */ f) => {
        const times = ranks.of(f.function);
        if (!times) return '';
        const {average, most, at} = spread(times);
        return element('span', {title: `average ${duration(average)}, most ${duration(most)} (rank ${ranks.ranks[at]})`}, strip(times));
    }};
}

/**
 * Rows are functions of the document.
 * @param {import('./data.js').Profile} profile
 * @param {import('./state.js').State} state
 * @param {import('./rank_times.js').RankTimes|null} ranks
 * @param {(f: any) => boolean} withSource
 * @returns {Listing}
 */
function ofFunctions(profile, state, ranks, withSource) {
    const {document, work} = profile;
    /** @type {import('./rows.js').Column[]} */
    const columns = [
        {title: 'calls', width: '9em', number: true, value: (/** @type {any} */ f) => f.calls, shown: (/** @type {any} */ f) => count(f.calls)},
        time('exclusive', f => f.exclusive_ns),
        {title: 'exclusive %', width: '9em', number: true, value: (/** @type {any} */ f) => f.waits ? 0 : f.exclusive_ns / work, shown: (/** @type {any} */ f) => f.waits ? 'wait' : percent(f.exclusive_ns / work)},
        time('inclusive', f => f.inclusive_ns),
        {title: '±', width: '6.5em', number: true, value: (/** @type {any} */ f) => f.exclusive_uncertainty_percent ?? 0, shown: (/** @type {any} */ f) => f.exclusive_uncertainty_percent === undefined ? '' : f.exclusive_uncertainty_percent > 999.9 ? '>999.9 %' : `${f.exclusive_uncertainty_percent.toFixed(1)} %`},
        ...(ranks ? [stripColumn(ranks)] : []),
        {title: 'paths', width: '6em', number: true, value: (/** @type {any} */ f) => f.call_paths},
        {title: 'function', width: 'minmax(20em, 1fr)', value: (/** @type {any} */ f) => f.function, shown: (/** @type {any} */ f) => element('span', {title: f.kind === 'root' ? profile.tree.rootNote : f.function}, profile.tree.briefOf(f.function))},
    ];
    if (new Set(document.functions.map((/** @type {any} */ f) => f.module ?? '')).size > 2) columns.push({title: 'module', width: '14em', value: (/** @type {any} */ f) => f.module ?? ''});
    if (document.functions.some((/** @type {any} */ f) => f.file)) columns.push({title: 'source', width: '18em', value: (/** @type {any} */ f) => f.file ? `${f.file}:${f.line}` : '', shown: (/** @type {any} */ f) => {
        const text = f.file ? `${f.file.replace(/.*\//, '')}:${f.line}` : '';
        return text && withSource(f) ? element('a', {href: state.address({view: 'source', function: f.function}), title: f.file, onclick: (/** @type {Event} */ event) => event.stopPropagation()}, text) : element('span', {title: f.file}, text);
    }});
    return {columns, rows: document.functions.slice(), text: (/** @type {any} */ f) => `${f.function} ${f.module ?? ''} ${f.file ?? ''}`,
        chosen: (/** @type {any} */ f) => state.go({view: 'flame', q: f.function}), what: 'function'};
}

/**
 * Rows are rows of the call tree.
 * @param {import('./data.js').Profile} profile
 * @param {import('./state.js').State} state
 * @returns {Listing}
 */
function ofPaths(profile, state) {
    const {tree} = profile, {column} = tree, whole = profile.whole || 1;
    const columns = [
        {title: 'calls', width: '9em', number: true, value: (/** @type {number} */ row) => column.calls[row], shown: (/** @type {number} */ row) => count(column.calls[row])},
        time('exclusive', row => column.exclusive[row]),
        {title: 'exclusive %', width: '9em', number: true, value: (/** @type {number} */ row) => column.exclusive[row] / whole, shown: (/** @type {number} */ row) => percent(column.exclusive[row] / whole)},
        time('inclusive', row => column.inclusive[row]),
        time('overhead', row => column.overhead[row]),
        ...Durations.filter(([, name]) => column[name]).map(([title, name]) => ({title, width: '8.5em', number: true, value: (/** @type {number} */ row) => column[name][row],
            shown: (/** @type {number} */ row) => column[name][row] ? duration(column[name][row]) : ''})),
        {title: 'STID', width: '6em', number: true, value: (/** @type {number} */ row) => column.id[row]},
        {title: 'call path', width: 'minmax(30em, 1fr)', order: (/** @type {number} */ row) => row, value: (/** @type {number} */ row) => tree.pathText(row)},
    ];
    return {columns, rows: Array.from({length: tree.rows}, (_, row) => row), text: (/** @type {number} */ row) => tree.title(row),
        chosen: (/** @type {number} */ row) => state.go({view: 'flame', path: column.id[row]}), what: 'call path'};
}

/** @type {import('./main.js').View} */
export const functions = {
    name: 'functions',
    title: 'Functions',
    present: () => true,
    show(place, profile, state, run) {
        const byPath = state.get('by') === 'path';
        const {columns, rows, text, chosen, what} = byPath ? ofPaths(profile, state) : ofFunctions(profile, state, run.profiles[0] === profile ? run.rankTimes : null, f => run.sourceOf(f) !== undefined);
        const table = new Rows(columns, {sort: state.get('sort', 'exclusive'), chosen, sorted: title => state.note({sort: title})});
        const found = element('span', {class: 'faint', role: 'status'});
        const search = () => {
            const words = state.get('q').toLowerCase().split(/\s+/).filter(Boolean);
            const left = words.length ? rows.filter(row => { const its = text(row).toLowerCase(); return words.every(word => its.includes(word)); }) : rows.slice();
            found.textContent = `${count(left.length)} of ${count(rows.length)} ${what}s`;
            table.fill(left);
        };
        place.append(element('div', {class: 'tools'},
            element('input', {type: 'search', placeholder: 'search', 'aria-label': 'search', value: state.get('q'), oninput: (/** @type {any} */ event) => { state.note({q: event.target.value}); search(); }}),
            element('select', {'aria-label': 'rows', onchange: (/** @type {any} */ event) => state.go({by: event.target.value})},
                element('option', {value: '', selected: !byPath}, 'by function'), element('option', {value: 'path', selected: byPath}, 'by call path')),
            element('button', {onclick: () => navigator.clipboard.writeText(table.csv())}, 'Copy as CSV'), found, element('span', {class: 'faint'}, profile.tree.rootNote)), table.box);
        search();
    },
};
