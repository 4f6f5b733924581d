// SPDX-License-Identifier: BSD-3-Clause
// What each thread did when: calls from left to right, what they call below them, and what is between threads. A part of the time is drawn over with the mouse.
import {legendOfKinds} from './colour.js';
import {element, legend, smallTable} from './dom.js';
import {count, counted, duration, percent} from './format.js';
import {closer, intervalOf, PathTimes, Screen} from './interval.js';
import {Drawing} from './timeline_drawing.js';
import {WaitStates} from './timeline_marks.js';
import {MostLevels} from './timeline_picture.js';

const ManyThreads = 16; // from which on each is drawn with a few levels only
const FewLevels = 4;
const Rest = 120; // ms without a move after which the functions of what is seen are added up

/**
 * The functions with most time of their own first.
 * @param {PathTimes} times
 */
function functionTable(times) {
    const {exclusive: own, calls} = times.byName(), {tree} = times.timeline, all = own.reduce((sum, ns) => sum + Math.max(ns, 0), 0) || 1;
    const found = Array.from(own.keys()).filter(name => own[name] > 0).sort((a, b) => own[b] - own[a]).slice(0, 15);
    return smallTable(['function', 'time', 'share', 'calls'], found.map(name => [tree.brief(name), duration(own[name]), percent(own[name] / all), count(calls[name])]), [1, 2, 3]);
}

/**
 * What the page has not, or cannot draw at once.
 * @param {import('./timeline_data.js').Timeline} its
 * @param {{arrows: number, bands: number}} left
 * @param {boolean} served whether the rest is to be had
 */
function leftOut(its, left, served) {
    const {marks, all, part} = its, told = [];
    if (served) told.push(`calls shorter than ${duration(part ? part.shortest : its.end / Screen)} become visible when looking closer, with their messages, collectives and waits`);
    const ends = all.messageEnds - 2 * marks.messages.count;
    if (ends > 0 && !served) told.push(`${count(ends)} of ${count(all.messageEnds)} sends and receives have no arrow: their other end is not in the files, or their calls are left out`);
    if (!served && all.collectiveCalls > marks.collectives.count) told.push(`${count(all.collectiveCalls - marks.collectives.count)} of ${counted(all.collectiveCalls, 'collective call')} are left out`);
    if (!served && all.waits > marks.waits.count) told.push(`${count(all.waits - marks.waits.count)} of ${counted(all.waits, 'wait')} are left out, the shortest ones`);
    if (left.arrows) told.push(`${counted(left.arrows, 'shorter message')} of this part become visible when looking closer`);
    if (left.bands) told.push(`${counted(left.bands, 'shorter collective')} of this part become visible when looking closer`);
    return told.length ? (told.join('; ') + '.').replace(/^./, first => first.toUpperCase()) : '';
}

/** @type {import('./main.js').View} */
export const timeline = {
    name: 'timeline',
    title: 'Timeline',
    interval: true,
    present: (_profile, run) => run.timeline !== null,
    show(place, profile, state, run) {
        const its = /** @type {import('./timeline_data.js').Timeline} */ (run.timeline), {marks} = its;
        const {from, to, ranks} = intervalOf(its, state), allRanks = [...new Set(its.threads.map(({rank}) => rank))];
        const hidden = new Set(state.get('without').split(',')), levels = Number(state.get('levels')) || (its.threads.length > ManyThreads ? FewLevels : MostLevels);
        const part = element('span', {class: 'faint'}), missing = element('p', {class: 'faint', role: 'status'}), table = element('div');
        const served = run.server !== null;
        let timer = 0, left = {arrows: 0, bands: 0};
        // The timeline may have paths that the profile has not, such as those of other ranks.
        const chosen = (/** @type {number} */ row) => state.go({view: 'flame', ...state.interval(), ...(its.tree === profile.tree || state.get('from') || state.get('to') || !ranks.isAll ? {path: its.tree.column.id[row]} : {q: its.tree.title(row)})});
        const drawing = new Drawing(its, {from, to, levels, ranks, shown: {messages: !hidden.has('messages'), collectives: !hidden.has('collectives'), waits: !hidden.has('waits')}}, {chosen,
            chosenRank: (rank, more) => { if (allRanks.length > 1) state.go({ranks: ranks.changed(rank, allRanks, more)}); },
            moved: step => {
                const changes = {from: drawing.from === 0 ? null : drawing.from, to: drawing.to >= its.end ? null : drawing.to};
                if (step) state.step(changes);
                else state.note(changes);
                tellPart();
                if (!has(drawing.timeline)) drawing.use(its);
                addUp(Rest);
            },
            drawn: now => {
                left = now;
                missing.textContent = leftOut(drawing.timeline, left, served);
            }});
        const tellPart = () => { part.textContent = `${duration(drawing.to - drawing.from)} of ${duration(its.end)}; draw over a part to look closer${allRanks.length > 1 ? ', click on a rank for its functions alone (with Ctrl: also)' : ''}`; };
        const addUp = (/** @type {number} */ after) => {
            const times = new PathTimes(drawing.timeline, drawing.from, drawing.to, ranks), go = () => {
                if (times.go()) table.replaceChildren(functionTable(times));
                else timer = setTimeout(go);
            };
            clearTimeout(timer);
            if (after) timer = setTimeout(() => { go(); lookCloser(); }, after);
            else go();
        };
        const has = (/** @type {import('./timeline_data.js').Timeline} */ one) => one.part !== null && one.part.from <= drawing.from && drawing.to <= one.part.to && one.part.shortest <= (drawing.to - drawing.from) / Screen * 4;
        /** What is too short for the present detail. */
        const lookCloser = async () => {
            const {from, to} = drawing, detail = has(drawing.timeline) ? null : await closer(run, from, to);
            if (!detail || drawing.from !== from || drawing.to !== to) return; // the next one is under way
            drawing.use(detail);
            missing.textContent = leftOut(detail, left, true);
            addUp(0);
        };
        const box = (/** @type {string} */ name, /** @type {string} */ title, /** @type {string} */ what) => element('label', {}, element('input', {type: 'checkbox', checked: !hidden.has(name), onchange: () => {
            if (!hidden.delete(name)) hidden.add(name);
            state.go({without: [...hidden].filter(Boolean).join(',')});
        }}), what ? element('span', {class: 'mark ' + what}) : '', ' ' + title);
        // A server has all of them.
        const there = served ? {messages: Math.floor(its.all.messageEnds / 2), collectives: its.all.collectiveCalls, waits: its.all.waits} : {messages: marks.messages.count, collectives: marks.collectives.count, waits: marks.waits.count};
        const states = WaitStates.map((one, state) => ({...one, ns: its.all.waiting[state]})).filter(({ns}) => ns > 0);
        place.append(element('div', {class: 'tools'}, element('button', {onclick: () => drawing.look(0, its.end, true)}, 'Show all'),
            there.messages !== 0 && box('messages', counted(there.messages, 'message'), 'arrow'), there.collectives !== 0 && box('collectives', counted(there.collectives, 'collective call'), 'band'), there.waits !== 0 && box('waits', counted(there.waits, 'wait'), ''),
            there.waits !== 0 && !hidden.has('waits') && element('span', {}, ...states.map(one => legend(one.colour, `${one.name} ${duration(one.ns)}`))),
            allRanks.length > 1 && element('span', {}, 'ranks ', element('input', {'aria-label': 'ranks', placeholder: `all ${allRanks.length}, or such as 0-3,7`, size: 18, value: state.get('ranks'), 'aria-invalid': ranks.problem ? 'true' : null,
                onchange: (/** @type {any} */ event) => state.go({ranks: event.target.value.trim()})})),
            its.threads.some(({calls}) => calls.levels > FewLevels) && element('select', {'aria-label': 'levels', onchange: (/** @type {any} */ event) => state.go({levels: event.target.value})},
                ...[1, 2, FewLevels, MostLevels].map(one => element('option', {value: one, selected: one === levels}, counted(one, 'level')))), part),
            ...run.document.remarks.filter((/** @type {string} */ one) => /left out|timeline|wait states/.test(one)).map((/** @type {string} */ one) => element('p', {class: 'faint'}, one + '.')), drawing.box, legendOfKinds(its.tree), missing,
            ranks.problem && element('p', {class: 'problem', role: 'alert'}, ranks.problem + '.'),
            element('h2', {}, `Functions in this part, by themselves (${ranks.isAll ? 'all threads' : `ranks ${ranks.text}`}, with the cost of recording and the waits for a core)`), table);
        tellPart();
        missing.textContent = leftOut(its, left, served);
        addUp(0);
        lookCloser();
    },
};
