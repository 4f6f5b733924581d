// SPDX-License-Identifier: BSD-3-Clause
// What is looked at, as the part of the address behind "#": a link leads back to it, and so does the browser's Back.

const inAddress = () => new URLSearchParams(location.hash.slice(1));

export class State {
    /**
     * @param {() => void} changed called after each change, also by Back
     * @param {() => void} noted called after a change that the view shows already
     */
    constructor(changed, noted) {
        this.changed = changed;
        this.noted = noted;
        this.values = inAddress();
        addEventListener('hashchange', () => {
            this.values = inAddress();
            this.changed();
        });
    }

    /**
     * @param {string} key
     * @param {string} [otherwise]
     */
    get(key, otherwise = '') {
        return this.values.get(key) ?? otherwise;
    }

    /**
     * The address with these changes.
     * @param {Record<string, string|number|null>} changes null takes one out
     */
    address(changes) {
        const values = new URLSearchParams('view' in changes ? '' : this.values);
        for (const key of ['run', 'part']) if (this.values.has(key)) values.set(key, this.get(key)); // the run and the profile stay the same in all views
        for (const [key, value] of Object.entries(changes))
            if (value === null || value === '') values.delete(key);
            else values.set(key, String(value));
        return '#' + values;
    }

    /** The part of the time and the ranks that are looked at, for the address of another view of it. */
    interval() {
        return {from: this.get('from'), to: this.get('to'), ranks: this.get('ranks')};
    }

    /**
     * A step that Back undoes.
     * @param {Record<string, string|number|null>} changes
     */
    go(changes) {
        history.pushState(null, '', this.address(changes));
        this.values = inAddress();
        this.changed();
    }

    /**
     * A step that Back undoes, and that the view shows already.
     * @param {Record<string, string|number|null>} changes
     */
    step(changes) {
        history.pushState(null, '', this.address(changes));
        this.values = inAddress();
        this.noted();
    }

    /**
     * A small change, such as a letter of a search; the view shows it already.
     * @param {Record<string, string|number|null>} changes
     */
    note(changes) {
        history.replaceState(null, '', this.address(changes));
        this.values = inAddress();
        this.noted();
    }
}
