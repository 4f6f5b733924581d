// SPDX-License-Identifier: BSD-3-Clause
// What vftr diff finds between the two runs of the page: all functions, or all call paths, as a table to sort and to search.
import {verdictMark} from './colour.js';
import {callsText, intervalText, ratioText, remarkText} from './difference_data.js';
import {element} from './dom.js';
import {change, count, duration} from './format.js';
import {Rows} from './rows.js';

/** @typedef {import('./difference_data.js').Change} Change */

/**
 * How long single calls take in both runs.
 * @param {string} title
 * @param {'median' | 'p90' | 'p99'} percentile
 * @returns {import('./rows.js').Column[]}
 */
function durations(title, percentile) {
    const base = (/** @type {Change} */ row) => row[`base_${percentile}_call_ns`], next = (/** @type {Change} */ row) => row[`new_${percentile}_call_ns`];
    const difference = (/** @type {Change} */ row) => { const less = base(row), more = next(row); return less === undefined || more === undefined ? undefined : more - less; };
    const time = (/** @type {string} */ side, /** @type {(row: Change) => number | undefined} */ of) => ({title: `${side} ${title}`, width: '7em', number: true,
        value: (/** @type {Change} */ row) => of(row) ?? '', order: (/** @type {Change} */ row) => of(row) ?? -1, shown: (/** @type {Change} */ row) => { const ns = of(row); return ns === undefined ? '' : duration(ns); }});
    return [time('base', base), time('new', next), {title: `${title} difference`, width: '9em', number: true, value: (/** @type {Change} */ row) => difference(row) ?? '',
        order: (/** @type {Change} */ row) => Math.abs(difference(row) ?? 0), shown: (/** @type {Change} */ row) => { const ns = difference(row); return ns === undefined ? '' : change(ns); }}];
}

/**
 * @param {(name: string) => string} brief
 * @param {boolean} withDurations
 * @returns {import('./rows.js').Column[]} but that of the name
 */
function figures(brief, withDurations) {
    const calls = (/** @type {string} */ title, /** @type {(row: Change) => number[]} */ of) =>
        ({title, width: '7em', number: true, order: (/** @type {Change} */ row) => of(row)[1], value: (/** @type {Change} */ row) => callsText(row, of(row))});
    const time = (/** @type {string} */ title, /** @type {(row: Change) => number} */ value) =>
        ({title, width: '6em', number: true, value, shown: (/** @type {Change} */ row) => duration(1e9 * value(row))});
    return [
        time('base', row => row.base),
        time('new', row => row.new),
        {title: 'difference', width: '8.2em', number: true, order: (/** @type {Change} */ row) => Math.abs(row.difference), value: (/** @type {Change} */ row) => row.difference,
            shown: (/** @type {Change} */ row) => change(1e9 * row.difference)},
        {title: 'ratio', width: '5em', number: true, value: (/** @type {Change} */ row) => row.ratio ?? '', order: (/** @type {Change} */ row) => row.ratio ?? 0, shown: ratioText},
        {title: '95 % interval', width: '9em', number: true, value: intervalText, order: (/** @type {Change} */ row) => row.low ?? 0},
        calls('base calls', row => row.base_calls),
        calls('new calls', row => row.new_calls),
        {title: 'verdict', width: '8.6em', value: (/** @type {Change} */ row) => row.verdict, shown: (/** @type {Change} */ row) => element('span', {}, verdictMark(row), row.verdict)},
        ...(withDurations ? [...durations('median', 'median'), ...durations('90 %', 'p90'), ...durations('99 %', 'p99')] : []),
        {title: 'remark', width: 'minmax(12em, 1fr)', value: (/** @type {Change} */ row) => remarkText(row, brief)},
    ];
}

/**
 * The rows that matter, for the overview.
 * @param {import('./difference_data.js').Difference} difference
 * @param {import('./state.js').State} state
 * @param {number} most
 */
export function telling({telling: rows, tree}, state, most) {
    const brief = (/** @type {string} */ name) => tree.briefOf(name);
    return rows.slice(0, most).map((/** @type {Change} */ row) => [duration(1e9 * row.base), duration(1e9 * row.new), change(1e9 * row.difference), ratioText(row), element('span', {}, verdictMark(row), row.verdict),
        element('a', {href: state.address({view: 'flame', run: null, part: null, q: row.function}), title: row.function}, brief(row.function)), remarkText(row, brief)]);
}

/** @type {import('./main.js').View} */
export const difference = {
    name: 'difference',
    title: 'Difference',
    present: (_profile, run) => run.versus !== null,
    show(place, _profile, state, run) {
        if (!run.versus) return;
        const its = run.versus.difference, {tree} = its, byPath = state.get('by') === 'path';
        const name = byPath ? {title: 'call path', width: 'minmax(12em, 2fr)', order: (/** @type {any} */ row) => row.row, value: (/** @type {any} */ row) => tree.pathText(row.row)}
            : {title: 'function', width: 'minmax(12em, 2fr)', value: (/** @type {Change} */ row) => row.function, shown: (/** @type {Change} */ row) => element('span', {title: row.function}, tree.briefOf(row.function))};
        const columns = figures(one => tree.briefOf(one), its.hasDurations), rows = /** @type {Change[]} */ (byPath ? its.paths() : its.functions);
        columns.splice(-1, 0, name);
        const table = new Rows(columns, {sort: state.get('sort', 'difference'), sorted: title => state.note({sort: title}),
            chosen: row => state.go({view: 'flame', run: null, part: null, ...(byPath ? {path: tree.column.id[row.row]} : {q: row.function})})});
        const found = element('span', {class: 'faint', role: 'status'});
        const search = () => {
            const words = state.get('q').toLowerCase().split(/\s+/).filter(Boolean), verdict = state.get('verdict');
            const named = (/** @type {Change} */ row) => { const text = row.function.toLowerCase(); return words.every(word => text.includes(word)); };
            const left = rows.filter(row => (verdict === '' || row.verdict === verdict) && (words.length === 0 || named(row)));
            found.textContent = `${count(left.length)} of ${count(rows.length)} ${byPath ? 'call path' : 'function'}s`;
            table.fill(left);
        };
        place.append(element('p', {class: 'answer'}, its.answer + '.'), element('div', {class: 'tools'},
            element('input', {type: 'search', placeholder: 'search', 'aria-label': 'search', value: state.get('q'), oninput: (/** @type {any} */ event) => { state.note({q: event.target.value}); search(); }}),
            element('select', {'aria-label': 'rows', onchange: (/** @type {any} */ event) => state.go({by: event.target.value})},
                element('option', {value: '', selected: !byPath}, 'by function'), element('option', {value: 'path', selected: byPath}, 'by call path')),
            element('select', {'aria-label': 'verdict', onchange: (/** @type {any} */ event) => { state.note({verdict: event.target.value}); search(); }},
                element('option', {value: ''}, 'all verdicts'), ...its.verdicts.map(one => element('option', {value: one, selected: one === state.get('verdict')}, one))),
            element('button', {onclick: () => navigator.clipboard.writeText(table.csv())}, 'Copy as CSV'), found), table.box);
        search();
    },
};
