// SPDX-License-Identifier: BSD-3-Clause
// Ranks that are looked at ("ranks" in the address), as the option --ranks takes them: 0-3,7. Nothing chosen is all of them.

export class RankChoice {
    /** @param {string} text */
    constructor(text) {
        /** @type {[number, number][]} */
        this.ranges = [];
        this.text = text.replace(/\s/g, '');
        /** What is wrong with the text, of which then all ranks are taken; empty: nothing. */
        this.problem = '';
        if (this.text === '') return;
        for (const part of this.text.split(',')) {
            const [, first, last] = part.match(/^(\d+)(?:-(\d+))?$/) ?? [];
            if (first === undefined || Number(last ?? first) < Number(first)) {
                this.problem = `ranks are numbers and ranges, such as 0-3,7, not ${text}`;
                this.ranges = [];
                return;
            }
            this.ranges.push([Number(first), Number(last ?? first)]);
        }
    }

    get isAll() {
        return this.ranges.length === 0;
    }

    /** @param {number} rank */
    has(rank) {
        return this.isAll || this.ranges.some(([first, last]) => first <= rank && rank <= last);
    }

    /**
     * The text of another choice: this rank alone, or, with `more`, with those that are chosen already, or without it if it is one of them.
     * @param {number} rank
     * @param {number[]} all ranks
     * @param {boolean} more
     */
    changed(rank, all, more) {
        const before = this.isAll ? [] : all.filter(one => this.has(one)), is = before.includes(rank);
        const after = more ? (is ? before.filter(one => one !== rank) : [...before, rank]) : is && before.length === 1 ? [] : [rank];
        after.sort((a, b) => a - b);
        /** @type {number[][]} */
        const ranges = [];
        for (const one of after) {
            const last = ranges[ranges.length - 1];
            if (last && last[1] === one - 1) last[1] = one;
            else ranges.push([one, one]);
        }
        return after.length === all.length ? '' : ranges.map(([first, last]) => first === last ? String(first) : `${first}-${last}`).join(',');
    }
}
