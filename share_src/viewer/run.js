// SPDX-License-Identifier: BSD-3-Clause
// All that is known of the run as a whole.
import {element} from './dom.js';

/**
 * @param {any} value
 * @returns {string}
 */
const text = value => Array.isArray(value) ? value.map(one => Array.isArray(one) ? (one[0] === one[1] ? one[0] : `${one[0]}-${one[1]}`) : JSON.stringify(one)).join(', ') : String(value);

/** @param {any} object */
const list = object => element('dl', {class: 'facts'}, ...Object.entries(object).filter(([name, value]) => (!Array.isArray(value) || value.length !== 0) && !name.endsWith('_time_ns')) // those are larger than numbers are exact here
    .flatMap(([name, value]) => [element('dt', {}, name.replaceAll('_', ' ')), element('dd', {}, text(value))]));

/** @type {import('./main.js').View} */
export const run = {
    name: 'run',
    title: 'Run',
    present: () => true,
    show(place, {document}, _state, whole) {
        place.append(element('h2', {}, 'Run'), list(document.metadata), element('h2', {}, 'Sums over ranks'), list(document.head),
            element('p', {class: 'faint'}, `Written by vftrace ${whole.document.vftrace_version}; names ending in ns are nanoseconds.`));
    },
};
