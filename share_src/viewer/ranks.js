// SPDX-License-Identifier: BSD-3-Clause
// How ranks and threads differ: call paths with the least and the most of single ranks, threads, parallel regions.
import {bar, element, legend, smallTable} from './dom.js';
import {count, duration, percent} from './format.js';
import {heatMap, spread} from './rank_times.js';
import {Rows} from './rows.js';

/**
 * Call paths by what the slowest rank exceeds the average.
 * @param {import('./data.js').Profile} profile
 * @param {import('./state.js').State} state
 */
function paths(profile, state) {
    const {tree} = profile, {column} = tree, ranks = profile.document.metadata.covered_ranks;
    const average = (/** @type {number} */ row) => column.exclusive[row] / ranks;
    const excess = (/** @type {number} */ row) => column.exclusive_max[row] - average(row);
    const rows = Array.from({length: tree.rows}, (_, row) => row).filter(row => column.exclusive[row] > 0);
    const most = rows.reduce((largest, row) => Math.max(largest, column.exclusive_max[row]), 1);
    const time = (/** @type {string} */ title, /** @type {(row: number) => number} */ value) => ({title, width: '8em', number: true, value, shown: (/** @type {number} */ row) => duration(value(row))});
    const table = new Rows([
        time('excess', excess),
        time('average', average),
        time('most', row => column.exclusive_max[row]),
        {title: 'by rank', width: '6.5em', number: true, value: row => column.exclusive_max_rank[row]},
        time('least', row => column.exclusive_min[row]),
        {title: 'of rank', width: '6.5em', number: true, value: row => column.exclusive_min_rank[row]},
        {title: 'average and most', width: '13em', value: row => column.exclusive_max[row], order: row => column.exclusive_max[row],
            shown: row => element('span', {}, bar(average(row) / most, 11), element('span', {class: 'bar', style: `opacity: .45; width: ${(excess(row) / most * 11).toFixed(2)}em`}))},
        {title: 'call path', width: 'minmax(24em, 1fr)', order: row => row, value: row => tree.pathText(row)},
    ], {sort: state.get('sort', 'excess'), sorted: title => state.note({sort: title}), chosen: row => state.go({view: 'flame', path: column.id[row]}),
        isChosen: row => state.get('path') === String(column.id[row])});
    table.fill(rows);
    return element('section', {}, element('p', {class: 'faint'}, 'Exclusive times; excess: by how much the slowest rank exceeds the average. ', legend('var(--bar)', 'average'), legend('color-mix(in srgb, var(--bar) 45%, transparent)', 'what the slowest rank has more')), table.box);
}

const RegionTimes = 'Time of region: from its begin to its end, as the thread that began it sees it. Waiting: that time for each thread of its team, less what the thread works in; in percent of the time of all of them. ' +
    'In the function table and the flame graph the region has as inclusive time what its threads do in it, all together, and as exclusive time what of that is neither in a function nor a wait.';

/**
 * @param {any[]} regions
 * @param {import('./data.js').CallTree} tree
 */
const regionTable = (regions, tree) => smallTable(['region', 'calls', 'threads', 'time of region', 'waiting (all threads)', 'waiting %', 'imbalance'], regions.map(one => [tree.briefOf(one.function), count(one.calls), count(one.largest_team), duration(one.region_ns),
    duration(one.wait_ns), one.team_ns ? percent(one.wait_ns / one.team_ns) : '', `${one.imbalance_percent.toFixed(1)} %`]), [1, 2, 3, 4, 5, 6]);

/** @param {any[]} threads */
const threadTable = threads => smallTable(['rank', 'thread', 'started in', 'life', 'CPU time', 'no core', 'in functions', 'calls'], threads.map(one => [String(one.rank), String(one.thread), one.start_function ?? (one.openmp_worker ? 'OpenMP worker' : ''),
    duration(one.life_ns), duration(one.cpu_ns), duration(one.waiting_for_core_ns), duration(one.in_functions_ns), count(one.calls)]), [0, 1, 3, 4, 5, 6, 7]);

/**
 * The heat map, by default with those functions first whose slowest rank exceeds the average most.
 * @param {import('./rank_times.js').RankTimes} times
 * @param {import('./data.js').Profile} profile
 * @param {import('./state.js').State} state
 */
function functionsOnRanks(times, profile, state) {
    const byTime = state.get('order') === 'time', order = Array.from(times.functions.keys()), excess = order.map(i => spread(times.row(i)).excess);
    if (!byTime) order.sort((a, b) => excess[b] - excess[a] || a - b);
    return element('div', {}, element('div', {class: 'tools'}, element('select', {'aria-label': 'order of functions', onchange: (/** @type {any} */ event) => state.go({order: event.target.value})},
        element('option', {value: '', selected: !byTime}, 'by excess of the slowest rank'), element('option', {value: 'time', selected: byTime}, 'by time'))),
    heatMap(times, order, name => profile.tree.briefOf(name), name => state.go({view: 'flame', q: name})));
}

/** @type {import('./main.js').View} */
export const ranks = {
    name: 'ranks',
    title: 'Ranks and threads',
    present: ({document, tree}) => Boolean(tree.column.exclusive_max) || document.threads.longest.length > 1 || Boolean(document.openmp_regions),
    show(place, profile, state, run) {
        const {document, tree} = profile;
        const times = run.profiles[0] === profile ? run.rankTimes : null;
        if (times) place.append(element('h2', {}, 'Functions on ranks'), functionsOnRanks(times, profile, state));
        if (document.openmp_regions) place.append(element('h2', {}, 'OpenMP regions'), element('p', {class: 'faint'}, RegionTimes), regionTable(document.openmp_regions, tree));
        if (document.threads.longest.length > 1) place.append(element('h2', {}, 'Threads'), threadTable(document.threads.longest));
        if (tree.column.exclusive_max) place.append(element('h2', {}, 'Ranks'), paths(profile, state));
    },
};
