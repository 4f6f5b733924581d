// SPDX-License-Identifier: BSD-3-Clause
// A part of the time ("from" and "to" in the address, in ns since the start of the run) and of the ranks: what call paths take in it, by the events of the timeline.
import {unpacked} from './data.js';
import {RankChoice} from './rank_choice.js';
import {Timeline} from './timeline_data.js';

const Slice = 12; // ms of work between which the page answers the mouse
const Shortest = 100; // ns that are looked at
export const Screen = 8000; // pixels: a served page has no calls that are shorter than one of them, until it is looked closer at

/**
 * The part that the address asks for; without one the whole.
 * @param {Timeline} timeline
 * @param {import('./state.js').State} state
 */
export function intervalOf(timeline, state) {
    const within = (/** @type {string} */ key, /** @type {number} */ otherwise) => Math.min(Math.max(Number(state.get(key, String(otherwise))) || 0, 0), timeline.end);
    const from = within('from', 0), to = Math.max(within('to', timeline.end), from + Shortest);
    const ranks = new RankChoice(state.get('ranks'));
    return {from, to, ranks, whole: from === 0 && to >= timeline.end && ranks.isAll};
}

/**
 * Asks the server for the calls of this part that are too short for the detail that the page has, with as much time before and after it; null: there is no server,
 * the part is as good as the whole, or its data are others by now.
 * @param {import('./data.js').Run} run
 * @param {number} from
 * @param {number} to
 */
export async function closer({server, timeline}, from, to) {
    const span = to - from, shortest = Math.floor(span / Screen);
    if (!server || !timeline || span * 1.5 >= timeline.end) return null;
    const packed = await server.part(Math.max(0, from - span / 2), to + span / 2, shortest);
    if (!packed) return null;
    const found = new Timeline(timeline.directory, timeline.tree, await unpacked(packed), 0);
    found.part = {from: Math.max(0, Math.floor(from - span / 2)), to: Math.ceil(to + span / 2), shortest};
    return found;
}

/** The time and the calls of call paths between two times, thread by thread. */
export class PathTimes {
    /**
     * @param {Timeline} timeline
     * @param {number} from
     * @param {number} to
     * @param {RankChoice} ranks
     */
    constructor(timeline, from, to, ranks) {
        this.timeline = timeline;
        this.threads = timeline.threads.filter(({rank}) => ranks.has(rank));
        this.from = from;
        this.to = to;
        /** By row of the tree: ns without what it calls. */
        this.exclusive = new Float64Array(timeline.tree.rows);
        this.calls = new Float64Array(timeline.tree.rows);
        this.thread = 0; // the next one
    }

    /** Works for a while. True: all threads are done. */
    go() {
        for (const until = performance.now() + Slice; this.thread < this.threads.length && performance.now() < until;) this.add(this.threads[this.thread++].calls);
        return this.thread === this.threads.length;
    }

    /** @param {import('./timeline_data.js').Calls} its */
    add(its) {
        const {exclusive, calls, from, to} = this, around = new Uint32Array(its.levels); // by depth: what was called last there
        for (let i = 0; i < its.count && its.begin[i] < to;) {
            const part = Math.min(its.end[i], to) - Math.max(its.begin[i], from), row = its.row[i], depth = its.depth[i];
            if (part <= 0) {
                i = its.after[i];
                continue;
            }
            exclusive[row] += part;
            calls[row]++;
            around[depth] = row;
            if (depth > 0) exclusive[around[depth - 1]] -= part;
            i++;
        }
    }

    /** By row of the tree: ns with all that it calls. */
    inclusive() {
        const {tree} = this.timeline, all = this.exclusive.slice();
        for (let row = tree.rows - 1; row > 0; row--) all[tree.column.parent[row]] += all[row];
        return all;
    }

    /** By name: ns without what they call, and calls. */
    byName() {
        const {column, titles} = this.timeline.tree, exclusive = new Float64Array(titles.length), calls = new Float64Array(titles.length);
        for (let row = 0; row < this.calls.length; row++) {
            exclusive[column.name[row]] += this.exclusive[row];
            calls[column.name[row]] += this.calls[row];
        }
        return {exclusive, calls};
    }
}
