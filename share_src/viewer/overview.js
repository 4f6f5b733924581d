// SPDX-License-Identifier: BSD-3-Clause
// What matters, where the time went, what ran.
import {telling} from './difference.js';
import {bar, element, smallTable} from './dom.js';
import {count, duration, percent} from './format.js';

/** The views in which a finding is looked into, by its rule. */
const ViewOf = /** @type {Record<string, string>} */ ({
    hot_function: 'flame', serial_part: 'flame', openmp_waiting: 'flame', costly_hooks: 'functions', hooks: 'functions',
    load_imbalance: 'ranks', wait_state: 'ranks', no_core: 'ranks', communication: 'communication', small_messages: 'communication',
});

/** Activities of the document, as the log calls them. */
const Activities = /** @type {Record<string, string>} */ ({
    computation: 'computation', mpi_point_to_point: 'MPI point to point', mpi_collective: 'MPI collectives', mpi_synchronisation: 'MPI synchronisation',
    mpi_one_sided: 'MPI one-sided', mpi_files: 'MPI file I/O', mpi_begin_end: 'MPI_Init, MPI_Finalize', mpi_other: 'MPI, other functions',
    openmp_wait: 'OpenMP waiting', openmp_idle: 'OpenMP idle threads', blocked: 'blocked (I/O, lock, sleep)', overhead: 'overhead of vftrace',
    waiting_for_core: 'waiting for a core', paused: 'recording paused',
});

/**
 * @param {import('./data.js').Profile} profile
 * @param {import('./state.js').State} state
 * @param {import('./data.js').Run} run
 */
function findings(profile, state, run) {
    const found = profile.document.findings;
    if (found.length === 0) return element('p', {class: 'faint'}, 'Nothing stands out.');
    const list = element('ol', {class: 'findings'}, ...found.map((/** @type {any} */ one) => {
        const view = one.rule === 'wait_state' && run.timeline ? 'timeline' : ViewOf[one.rule];
        const link = view && element('a', {href: state.address({view, path: view === 'timeline' ? null : one.path ?? null, q: view === 'functions' ? one.function : null})}, one.title);
        return element('li', {}, element('span', {class: 'share'}, percent(one.share)), link || element('span', {}, one.title), element('span', {class: 'text'}, one.text));
    }));
    return element('div', {}, element('p', {class: 'faint'}, 'In percent of the time of all threads, without MPI_Init and MPI_Finalize; findings overlap.'), list);
}

/**
 * @param {any} head
 * @param {any} metadata
 */
function factsOf(head, metadata) {
    const toSeconds = (/** @type {string} */ time) => time.replace(/\.\d+/, '');
    const rows = [['start', toSeconds(metadata.start_time)], ['end', toSeconds(metadata.end_time)]];
    if (metadata.mpi) rows.push(['MPI ranks', count(metadata.ranks)]);
    if (metadata.processes > metadata.covered_ranks) rows.push(['processes', count(metadata.processes)]);
    rows.push(['threads', count(metadata.threads)], ['total runtime', duration(head.total_runtime_ns)]);
    const ranks = Math.max(metadata.covered_ranks, 1), each = ranks > 1 ? ' (average of the ranks)' : '';
    rows.push(['application time' + each, duration(head.application_ns / ranks)], ['overhead of vftrace' + each, duration(head.overhead_ns / ranks)]);
    if (head.cpu_ns) rows.push(['waiting for a core' + each, duration(head.waiting_for_core_ns / ranks)], ['CPU time', duration(head.cpu_ns)]);
    return rows;
}

/** @param {string[][]} rows names and values */
const facts = rows => element('dl', {class: 'facts'}, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));

/**
 * Of two runs, beside each other. What only one of them has is empty in the other.
 * @param {string[][]} base
 * @param {string[][]} next
 */
function factsOfBoth(base, next) {
    const of = (/** @type {string[][]} */ rows, /** @type {string} */ name) => rows.find(one => one[0] === name)?.[1] ?? '';
    return smallTable(['', 'base', 'new'], [...new Set([...base, ...next].map(([name]) => name))].map(name => [name, of(base, name), of(next, name)]), [1, 2]);
}

const MostChanges = 12; // on the first screen

/**
 * What has changed between the two runs of the page.
 * @param {NonNullable<import('./data.js').Run['versus']>} versus
 * @param {import('./state.js').State} state
 */
function changes({base, next, difference}, state) {
    const all = difference.telling.length, [before, after] = [base, next].map(({profiles: [{document}]}) => factsOf(document.head, document.metadata));
    return element('div', {}, element('p', {}, difference.answer + '.'),
        all !== 0 && smallTable(['base', 'new', 'difference', 'ratio', 'verdict', 'function', 'remark'], telling(difference, state, MostChanges), [0, 1, 2, 3]),
        element('p', {}, element('a', {href: state.address({view: 'difference'})}, all > MostChanges ? `${count(all - MostChanges)} more, and all functions` : 'All functions')),
        ...difference.notes.map(one => element('p', {class: 'faint'}, one + '.')), element('h2', {}, 'What ran'), factsOfBoth(before, after));
}

/** @param {any} breakdown */
function activities(breakdown) {
    const entries = Object.entries(breakdown.time_ns);
    const all = entries.reduce((sum, [, time]) => sum + time.sum, 0);
    const rows = entries.sort(([, a], [, b]) => b.sum - a.sum).filter(([, time]) => time.sum > all / 2000)
        .map(([name, time]) => [Activities[name] ?? name, duration(time.sum), percent(time.sum / all), bar(time.sum / all)]);
    const efficiencies = [['parallel efficiency', breakdown.parallel_efficiency], ['load balance', breakdown.load_balance],
        ['communication efficiency', breakdown.communication_efficiency], ['OpenMP efficiency', breakdown.openmp_efficiency]]
        .filter(([, value]) => value !== undefined).map(([name, value]) => `${name} ${percent(value)}`);
    return element('div', {}, smallTable(['activity', 'time', 'share', ''], rows, [1, 2]),
        efficiencies.length !== 0 && element('p', {}, efficiencies.join(', ') + ' (POP metrics)'));
}

/** @type {import('./main.js').View} */
export const overview = {
    name: 'overview',
    title: 'Overview',
    present: () => true,
    show(place, profile, state, run) {
        const {document} = profile;
        const which = run.versus ? ` (${run === run.versus.base ? 'base' : 'new'} run)` : '';
        if (run.versus) place.append(element('h2', {}, 'What has changed'), changes(run.versus, state));
        place.append(element('h2', {}, 'What matters' + which), findings(profile, state, run));
        if (document.breakdown) place.append(element('h2', {}, `Where the time went (all threads)${which}`), activities(document.breakdown));
        if (!run.versus || run.profiles.length > 1) place.append(element('h2', {}, 'What ran' + which), facts(factsOf(document.head, document.metadata)));
        if (run.document.remarks.length)
            place.append(element('h2', {}, 'Notes'), element('ul', {class: 'notes'}, ...run.document.remarks.map((/** @type {string} */ one) => element('li', {}, one + '.'))));
    },
};
