// SPDX-License-Identifier: BSD-3-Clause
// What the timeline shows beside calls: messages, collectives, wait states. The format is described in src/export/html/timeline_marks.hpp.

export const MessageBlock = 0xffffffff, CollectiveBlock = 0xfffffffe, WaitBlock = 0xfffffffd;

/** By number (analysis::WaitState): the name, and what is said of one. */
export const WaitStates = [
    {name: 'late sender', colour: '#d32f2f', told: 'waits for the send of rank'},
    {name: 'late receiver', colour: '#ef8a00', told: 'waits for the receive of rank'},
    {name: 'wait at collective', colour: '#8e24aa', told: 'waits until the call of rank'},
    {name: 'early exit', colour: '#607d8b', told: 'leaves later than rank'},
];

/**
 * Messages from a thread to another, by begin.
 * @typedef {{count: number, begin: Float64Array, ns: Float64Array, bytes: Float64Array, from: Uint32Array, to: Uint32Array}} Messages
 */

/**
 * Calls of collectives; those of a meeting, which is one call by all members, follow each other by thread.
 * @typedef {{count: number, begin: Float64Array, ns: Float64Array, thread: Uint32Array, meeting: Uint32Array}} Collectives
 */

/**
 * By thread, then by begin. `cause` is the rank that was waited for.
 * @typedef {{count: number, begin: Float64Array, ns: Float64Array, thread: Uint32Array, cause: Uint32Array, state: Uint32Array}} Waits
 */

/**
 * The columns of a block, and where it ends.
 * @param {ArrayBuffer} buffer
 * @param {number} at behind the head of the block
 * @param {number} count
 * @param {number} reals how many columns
 * @param {number} numbers how many columns
 */
function markColumns(buffer, at, count, reals, numbers) {
    const real = Array.from({length: reals}, (_, i) => new Float64Array(buffer, at + 8 * count * i, count));
    const begin = real[0] = real[0].slice();
    for (let i = 1; i < count; i++) begin[i] += begin[i - 1]; // each is the difference to the one before
    const behind = at + 8 * count * reals;
    const number = Array.from({length: numbers}, (_, i) => new Uint32Array(buffer, behind + 4 * count * i, count));
    return {real, number, end: behind + Math.ceil(4 * count * numbers / 8) * 8};
}

/** The first of these that are seen, those first that take longest. */
class LongestFirst {
    /**
     * @param {Float64Array} begin
     * @param {ArrayLike<number>} ns
     */
    constructor(begin, ns) {
        this.begin = begin;
        this.ns = ns;
        this.order = Uint32Array.from(begin.keys()).sort((a, b) => ns[b] - ns[a] || a - b);
    }

    /**
     * Those between the two times for which `wanted` holds, at most so many.
     * @param {number} from
     * @param {number} to
     * @param {number} most
     * @param {(one: number) => boolean} wanted
     */
    between(from, to, most, wanted) {
        const found = [];
        let left = 0;
        for (const one of this.order) {
            // A message may end before it begins where clocks differ.
            if (Math.min(this.begin[one], this.begin[one] + this.ns[one]) > to || Math.max(this.begin[one], this.begin[one] + this.ns[one]) < from || !wanted(one)) continue;
            if (found.length < most) found.push(one);
            else left++;
        }
        return {found, left};
    }
}

/** All marks of a timeline. */
export class Marks {
    constructor() {
        /** @type {Messages} */
        this.messages = {count: 0, begin: new Float64Array(), ns: new Float64Array(), bytes: new Float64Array(), from: new Uint32Array(), to: new Uint32Array()};
        /** @type {Collectives} */
        this.collectives = {count: 0, begin: new Float64Array(), ns: new Float64Array(), thread: new Uint32Array(), meeting: new Uint32Array()};
        /** @type {Waits} */
        this.waits = {count: 0, begin: new Float64Array(), ns: new Float64Array(), thread: new Uint32Array(), cause: new Uint32Array(), state: new Uint32Array()};
    }

    /**
     * @param {ArrayBuffer} buffer
     * @param {number} at where a block begins
     * @returns {number} where it ends
     */
    read(buffer, at) {
        const [kind, count] = new Uint32Array(buffer, at, 2);
        const {real, number, end} = markColumns(buffer, at + 8, count, kind === MessageBlock ? 3 : 2, kind === WaitBlock ? 3 : 2);
        if (kind === MessageBlock) this.messages = {count, begin: real[0], ns: real[1], bytes: real[2], from: number[0], to: number[1]};
        else if (kind === CollectiveBlock) this.collectives = {count, begin: real[0], ns: real[1], thread: number[0], meeting: number[1]};
        else this.waits = {count, begin: real[0], ns: real[1], thread: number[0], cause: number[1], state: number[2]};
        return end;
    }

    /**
     * To be called once all blocks are read.
     * @param {number} threads
     */
    arrange(threads) {
        const {messages, collectives, waits} = this;
        this.arrows = new LongestFirst(messages.begin, messages.ns);
        /**
         * Where the calls of each meeting begin, and where the last ones end.
         * @type {number[]}
         */
        this.meetings = [];
        for (let i = 0; i < collectives.count; i++)
            if (i === 0 || collectives.meeting[i] !== collectives.meeting[i - 1]) this.meetings.push(i);
        this.meetings.push(collectives.count);
        const of = this.meetings, count = of.length - 1, begin = new Float64Array(count), ns = new Float64Array(count);
        for (let meeting = 0; meeting < count; meeting++) {
            let end = 0;
            begin[meeting] = Infinity;
            for (let i = of[meeting]; i < of[meeting + 1]; i++) {
                begin[meeting] = Math.min(begin[meeting], collectives.begin[i]);
                end = Math.max(end, collectives.begin[i] + collectives.ns[i]);
            }
            ns[meeting] = end - begin[meeting];
        }
        this.bands = new LongestFirst(begin, ns);
        /** By thread: its first wait. */
        this.waitsOf = new Uint32Array(threads + 1);
        for (const thread of waits.thread) this.waitsOf[thread + 1]++;
        for (let thread = 0; thread < threads; thread++) this.waitsOf[thread + 1] += this.waitsOf[thread];
    }
}
