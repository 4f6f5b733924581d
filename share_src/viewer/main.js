// SPDX-License-Identifier: BSD-3-Clause
// The tabs of the page, and which one is shown.
import {communication} from './communication.js';
import {bytesOf, read} from './data.js';
import {difference} from './difference.js';
import {readDifference} from './difference_data.js';
import {element, tip} from './dom.js';
import {flame} from './flame.js';
import {functions} from './functions.js';
import {overview} from './overview.js';
import {processes} from './processes.js';
import {ranks} from './ranks.js';
import {run as aboutRun} from './run.js';
import {Server} from './served.js';
import {source} from './source.js';
import {State} from './state.js';
import {timeline} from './timeline.js';

/**
 * @typedef {object} View
 * @property {string} name in the address
 * @property {string} title
 * @property {boolean} [interval] whether it shows a part of the time, which goes along to others that do
 * @property {(profile: import('./data.js').Profile, run: import('./data.js').Run) => boolean} present whether the run has something for it
 * @property {(place: HTMLElement, profile: import('./data.js').Profile, state: State, run: import('./data.js').Run) => void} show
 */

/** @type {View[]} */
const Views = [overview, difference, functions, flame, timeline, ranks, communication, processes, source, aboutRun];

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @param {string[]} pieces of the page: a run; of two runs the new one, the base and what has changed
 */
async function readPage([next, base, changes]) {
    if (!base) return read(bytesOf(next), null);
    const [run, other, difference] = await Promise.all([read(bytesOf(next), null), read(bytesOf(base), null), readDifference(bytesOf(changes))]);
    run.versus = other.versus = {base: other, next: run, difference};
    return run;
}

/** @param {import('./data.js').Run} run */
function titleOf({document, versus}) {
    const base = versus?.base.document.application;
    return base === undefined ? document.application : base === document.application ? `${base}, base and new` : `${base} and ${document.application}`;
}

async function begin() {
    const data = (byId('data').textContent ?? '').trim(), server = data === 'served' ? new Server() : null;
    let shown = server ? await read(await server.data(), server) : await readPage(data.split(/\s+/));
    byId('data').remove();
    /** What the address asks for. */
    const wanted = () => {
        const isBase = shown.versus !== null && state.get('run') === 'base', run = isBase && shown.versus ? shown.versus.base : shown;
        const part = Math.min(Number(state.get('part', '0')) || 0, run.profiles.length - 1);
        const profile = run.profiles[part];
        const views = Views.filter(view => view.present(profile, run));
        const view = views.find(one => one.name === state.get('view')) ?? views[0];
        return {run, isBase, part, profile, views, view};
    };
    const tabs = () => {
        const {run, isBase, part, views, view} = wanted();
        byId('tabs').replaceChildren(
            ...views.map(one => element('a', {href: state.address({view: one.name, ...(one.interval && view.interval ? state.interval() : {})}), 'aria-current': one === view ? 'page' : null}, one.title)),
            ...(!run.versus ? [] : [element('select', {'aria-label': 'run', title: 'which run the views show, other than the difference', onchange: (/** @type {any} */ event) => state.go({view: view.name, run: event.target.value, part: null})},
                element('option', {value: '', selected: !isBase}, 'new run'), element('option', {value: 'base', selected: isBase}, 'base run'))]),
            ...(run.profiles.length < 2 ? [] : [element('select', {'aria-label': 'profile', onchange: (/** @type {any} */ event) => state.go({part: event.target.value})},
                ...run.profiles.map((one, i) => element('option', {value: i, selected: i === part}, one.document.title)))]));
    };
    const show = () => {
        const {run, profile, view} = wanted();
        tabs();
        tip(null);
        byId('view').replaceChildren();
        view.show(byId('view'), profile, state, run);
    };
    const state = new State(show, tabs);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show); // pictures have colours of their own
    const title = titleOf(shown);
    document.title = `${title} – vftrace`;
    byId('title').textContent = title;
    show();
    server?.follow(async () => {
        shown = await read(await server.data(), server);
        show();
    }).catch(problem => byId('view').prepend(element('p', {class: 'problem'}, `The page is no longer up to date: ${problem.message}`)));
}

begin().catch(problem => {
    byId('view').replaceChildren(element('p', {class: 'problem'}, `The data of this page cannot be shown: ${problem.message}`));
});
