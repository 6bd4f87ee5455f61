import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { Gate, type Passage } from '../../../../services/integrations/webhooks/gate.ts';

const GOOD = { httpStatus: 200, error: null };
const BAD = { httpStatus: 500, error: 'HTTP 500' };
const SILENT = { httpStatus: null, error: 'No complete answer within 15 s' };
type Outcome = { httpStatus: number | null; error: string | null };

/** Exchanges that end when the test says so. */
class Receiver {
  readonly under: { readonly delivery: string; end(outcome: Outcome): void; cut(error: Error): void }[] = [];
  most = 0;
  begun = 0;
  readonly exchange = (delivery: string) => () =>
    new Promise<Outcome>((resolve, reject) => {
      const leave = () => this.under.splice(this.under.indexOf(entry), 1);
      const entry = {
        delivery,
        end: (outcome: Outcome) => {
          leave();
          resolve(outcome);
        },
        cut: (error: Error) => {
          leave();
          reject(error);
        },
      };
      this.under.push(entry);
      this.begun += 1;
      this.most = Math.max(this.most, this.under.length);
    });
}

describe('the gate of deliveries', () => {
  afterEach(() => mock.timers.reset());

  const hook = (id: string, maxInFlight = 10, ratePerSecond = 1000, tenantId = 'company') => {
    return { id, tenantId, url: `https://${id.replace(' ', '-')}.example.com/hook?key=1`, maxInFlight, ratePerSecond };
  };
  const at = (start = 0) => {
    const clock = { now: start };
    return { clock, now: () => clock.now };
  };
  const kinds = (passages: Passage<Outcome>[]) => passages.map(({ kind }) => kind);
  const answers = (gate: Gate, id: string, count: number, outcome: Outcome, from = 0) =>
    Array.from({ length: count }, (_, index) => gate.pass(hook(id), `${id} ${from + index}`, async () => outcome));

  it('never exceeds the limit of an endpoint, and loses no delivery', async () => {
    const gate = new Gate({ slots: 1000 });
    const receiver = new Receiver();
    let answered = true;
    const answering = (async () => {
      while (answered) {
        await delay(1);
        receiver.under[0]?.end(GOOD);
      }
    })();
    const deliver = async (delivery: string): Promise<void> => {
      const passage = await gate.pass(hook('a', 7), delivery, receiver.exchange(delivery));
      if (passage.kind === 'waits') await delay(5).then(() => deliver(delivery));
    };
    await Promise.all(Array.from({ length: 300 }, (_, index) => deliver(String(index))));
    answered = false;
    await answering;
    assert.equal(receiver.begun, 300);
    assert.equal(receiver.most, 7);
  });

  it('keeps the place of an exchange until its outcome is logged', async () => {
    const gate = new Gate({ slots: 1000 });
    const receiver = new Receiver();
    let logged: () => void = () => undefined;
    const log = () => new Promise<void>((resolve) => (logged = resolve));
    const first = gate.pass(hook('a', 1), 'first', receiver.exchange('first'), log);
    receiver.under[0]?.end(GOOD);
    await delay(1);
    const second = gate.pass(hook('a', 1), 'second', receiver.exchange('second'));
    await delay(1);
    assert.equal(receiver.begun, 1);
    logged();
    assert.equal((await first).kind, 'passed');
    await delay(1);
    assert.equal(receiver.begun, 2);
    receiver.under[0]?.end(GOOD);
    assert.equal((await second).kind, 'passed');
  });

  it('gives two places to an endpoint that has not yet answered, and one after silence', async () => {
    const gate = new Gate({ slots: 1000 });
    const receiver = new Receiver();
    const passages = Array.from({ length: 12 }, (_, index) => gate.pass(hook('a'), `${index}`, receiver.exchange('a')));
    const away = await Promise.all(passages.slice(2)); // none of them waits in the process any more
    assert.ok(away.every(({ kind }) => kind === 'waits'));
    assert.equal(receiver.under.length, 2);
    for (const exchange of [...receiver.under]) exchange.end(SILENT);
    assert.deepEqual(kinds(await Promise.all(passages.slice(0, 2))), ['passed', 'passed']);
    const next = [gate.pass(hook('a'), 'x', receiver.exchange('x')), gate.pass(hook('a'), 'y', receiver.exchange('y'))];
    await turn();
    assert.equal(receiver.under.length, 1);
    receiver.under[0]?.end(GOOD);
    await turn();
    receiver.under[0]?.end(GOOD);
    assert.deepEqual(kinds(await Promise.all(next)), ['passed', 'passed']);
  });

  it('reserves places of the worker for others, however many endpoints hang', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const { clock, now } = at();
    const gate = new Gate({ slots: 40, now });
    const receiver = new Receiver();
    const hung: Promise<Passage<Outcome>>[] = [];
    // All of them have answered before they begin to hang.
    for (let number = 0; number < 10; number++) await Promise.all(answers(gate, `hung ${number}`, 20, GOOD));
    const burst = () => {
      for (let number = 0; number < 10; number++) {
        hung.push(gate.pass(hook(`hung ${number}`, 5), `burst ${hung.length}`, receiver.exchange('hung')));
      }
    };
    burst();
    burst();
    await turn();
    assert.equal(receiver.under.length, 20);
    mock.timers.tick(1100); // they linger
    clock.now += 1100;
    burst();
    await turn();
    assert.equal(receiver.under.length, 20, 'half of the places');
    const others = await Promise.all(
      Array.from({ length: 15 }, (_, index) => answers(gate, `other ${index}`, 1, GOOD)[0]),
    );
    assert.ok(others.every((passage) => passage?.kind === 'passed'));
    const refused = hung.slice(20);
    for (const passage of await Promise.all(refused)) {
      assert.equal(passage.kind === 'waits' && passage.reason, 'slow receivers take up half of the worker');
    }
    for (const exchange of [...receiver.under]) exchange.end(SILENT);
    await Promise.all(hung);
  });

  it('leaves some of the places for slow endpoints to other companies', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const { clock, now } = at();
    const gate = new Gate({ slots: 40, now });
    const receiver = new Receiver();
    const slow = (tenantId: string, number: number) => hook(`${tenantId} ${number}`, 5, 1000, tenantId);
    const begin = (tenantId: string, number: number) =>
      gate.pass(slow(tenantId, number), `${receiver.begun}`, receiver.exchange(tenantId));
    for (const tenantId of ['busy', 'other'])
      for (let number = 0; number < 10; number++)
        for (let nth = 0; nth < 20; nth++) await gate.pass(slow(tenantId, number), `${nth}`, async () => GOOD);
    const begun = [];
    for (let number = 0; number < 10; number++) begun.push(begin('busy', number));
    await turn();
    mock.timers.tick(1100); // they linger: half of the twenty places of all slow ones
    clock.now += 1100;
    const refused = await begin('busy', 0);
    assert.equal(refused.kind === 'waits' && refused.reason, 'slow receivers of the company take up its share');
    for (let number = 0; number < 3; number++) begun.push(begin('other', number));
    await turn();
    mock.timers.tick(1100);
    clock.now += 1100;
    begun.push(begin('other', 0));
    await turn();
    assert.equal(receiver.under.filter(({ delivery }) => delivery === 'other').length, 4);
    for (const exchange of [...receiver.under]) exchange.end(GOOD);
    assert.ok(kinds(await Promise.all(begun)).every((kind) => kind === 'passed'));
  });

  it('keeps to the rate of an endpoint', async () => {
    const { clock, now } = at(1000);
    const gate = new Gate({ slots: 1000, now });
    const send = (delivery: string) => gate.pass(hook('a', 100, 3), delivery, async () => GOOD);
    const first = [];
    for (let index = 0; index < 5; index++) first.push(await send(String(index)));
    assert.deepEqual(kinds(first), ['passed', 'passed', 'passed', 'waits', 'waits']);
    assert.ok(first[3]?.kind === 'waits' && /rate/.test(first[3].reason));
    clock.now += 700;
    assert.deepEqual(
      [(await send('3')).kind, (await send('4')).kind, (await send('5')).kind],
      ['passed', 'passed', 'waits'],
    );
  });

  it('leaves a failing endpoint alone, then tries one delivery', async () => {
    const { clock, now } = at(Date.parse('2026-06-15T10:00:00Z'));
    const changes: unknown[] = [];
    const gate = new Gate({
      slots: 1000,
      now,
      changed: ({ id }, { open, reason }) => changes.push([id, open, reason]),
    });
    for (let index = 0; index < 10; index++) await gate.pass(hook('a'), `failing ${index}`, async () => BAD);
    const [refused] = await Promise.all(answers(gate, 'a', 1, GOOD));
    assert.ok(refused?.kind === 'waits');
    assert.equal(refused.reason, '10 of the last 10 deliveries failed, circuit open until 10:00:30 UTC');
    assert.ok(refused.seconds >= 30);
    assert.equal((await answers(gate, 'b', 1, GOOD)[0])?.kind, 'passed', 'others are not concerned');

    clock.now += 30_000;
    await gate.pass(hook('a'), 'a trial that fails', async () => BAD);
    clock.now += 30_000;
    const receiver = new Receiver();
    const trial = gate.pass(hook('a'), 'trial', receiver.exchange('trial'));
    assert.deepEqual(kinds(await Promise.all(answers(gate, 'a', 3, GOOD))), ['waits', 'waits', 'waits']);
    receiver.under[0]?.end(GOOD);
    assert.equal((await trial).kind, 'passed');
    assert.deepEqual(kinds(await Promise.all(answers(gate, 'a', 3, GOOD))), ['passed', 'passed', 'passed']);
    const [opened, closed, ...more] = changes;
    assert.deepEqual(opened, ['a', true, '10 of the last 10 deliveries failed']);
    assert.deepEqual((closed as unknown[]).slice(0, 2), ['a', false]);
    assert.deepEqual(more, [], 'a trial that fails changes nothing');
  });

  it('releases the place of an exchange that was cut off', async () => {
    const gate = new Gate({ slots: 1000 });
    const receiver = new Receiver();
    const cut = gate.pass(hook('a', 1), 'cut', receiver.exchange('cut'));
    const next = gate.pass(hook('a', 1), 'next', receiver.exchange('next'));
    await turn();
    receiver.under[0]?.cut(new Error('the worker stops'));
    await assert.rejects(cut, /the worker stops/);
    await turn();
    assert.deepEqual(
      receiver.under.map(({ delivery }) => delivery),
      ['next'],
    );
    receiver.under[0]?.end(GOOD);
    assert.equal((await next).kind, 'passed');
  });

  it('spreads returning deliveries, so that thousands do not arrive at once', async () => {
    const { clock, now } = at();
    const gate = new Gate({ slots: 1000, now });
    const endpoints = Array.from({ length: 100 }, (_, index) => `e${index}`);
    for (const id of endpoints)
      for (let index = 0; index < 10; index++) await gate.pass(hook(id), `${index}`, async () => BAD);
    const due = new Map<string, number>();
    const visit = async (id: string, delivery: string) => {
      const passage = await gate.pass(hook(id), delivery, async () => SILENT);
      const seconds = passage.kind === 'waits' ? passage.seconds : 30;
      due.set(`${id}/${delivery}`, clock.now + seconds * 1000);
    };
    for (const id of endpoints) for (let index = 0; index < 50; index++) await visit(id, `waiting ${index}`);
    // Five minutes in which everybody comes back when told to.
    let visits = 0;
    const busiest = { visits: 0 };
    for (let second = 1; second <= 300; second++) {
      clock.now = second * 1000;
      const back = [...due].filter(([, time]) => time <= clock.now);
      visits += back.length;
      // The first comers were sent away before it was known how many there are.
      if (second > 60) busiest.visits = Math.max(busiest.visits, back.length);
      for (const [key] of back) {
        due.delete(key);
        const [id = '', delivery = ''] = key.split('/');
        await visit(id, delivery);
      }
    }
    assert.equal(due.size, 5000, 'nobody is forgotten');
    assert.ok(visits < 300 * 30, `${visits} visits`);
    assert.ok(busiest.visits < 100, `${busiest.visits} in one second`);
  });

  it('looks rarely whether an endpoint has a place whose exchanges last long', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { clock, now } = at();
    const gate = new Gate({ slots: 1000, now });
    const receiver = new Receiver();
    const hung = [0, 1].map((index) => gate.pass(hook('hung', 2), `hung ${index}`, receiver.exchange(`${index}`)));
    mock.timers.tick(1000);
    const waiting = Array.from({ length: 100 }, (_, index) => ({ delivery: `waiting ${index}`, due: 0 }));
    let visits = 0;
    for (let second = 0; second < 300; second++) {
      clock.now = second * 1000;
      for (const one of waiting.filter(({ due }) => due <= clock.now)) {
        const passage = await gate.pass(hook('hung', 2), one.delivery, receiver.exchange(one.delivery));
        assert.equal(passage.kind, 'waits');
        if (passage.kind === 'waits') one.due = clock.now + passage.seconds * 1000;
        visits += 1;
      }
    }
    assert.ok(visits < 300 * 5, `${visits} visits`);
    for (const exchange of [...receiver.under]) exchange.end(GOOD);
    assert.deepEqual(kinds(await Promise.all(hung)), ['passed', 'passed']);
  });

  it('lets new deliveries to an endpoint join those that wait for it, without a look', async () => {
    const { clock, now } = at();
    const gate = new Gate({ slots: 1000, now });
    const receiver = new Receiver();
    const hung = [0, 1].map((index) => gate.pass(hook('hung', 2), `hung ${index}`, receiver.exchange(`${index}`)));
    assert.equal(gate.firstLookIn('unknown', 'new'), 0);
    for (let index = 0; index < 10; index++) {
      assert.equal(gate.firstLookIn('hung', `waiting ${index}`), 0, `${index} wait`);
      await gate.pass(hook('hung', 2), `waiting ${index}`, receiver.exchange('waiting'));
    }
    const [first, second] = [gate.firstLookIn('hung', 'first'), gate.firstLookIn('hung', 'second')];
    assert.ok(first > 0 && second > 0 && first !== second, `${first} and ${second}`);
    assert.equal(gate.firstLookIn('other', 'new'), 0, 'others begin at once');
    for (const exchange of [...receiver.under]) exchange.end(GOOD);
    await Promise.all(hung);
    clock.now = 3600_000;
    assert.equal(gate.firstLookIn('hung', 'later'), 0, 'nobody waits any more');
  });

  it('lets new deliveries wait as long as a circuit is open', async () => {
    const gate = new Gate({ slots: 1000, now: () => 0, random: () => 0 });
    for (const passage of answers(gate, 'a', 10, BAD)) await passage;
    const away = await Promise.all(answers(gate, 'a', 10, BAD, 10));
    const open = away.map((one) => (one.kind === 'waits' ? one.seconds : 0));
    assert.ok(open.every((seconds) => seconds > 0 && seconds === open[0]));
    assert.equal(gate.firstLookIn('a', 'new'), open[0]);
  });

  it('takes only its part when several workers share the deliveries', async () => {
    const gate = new Gate({ slots: 1000 });
    gate.peers = 3;
    await Promise.all(answers(gate, 'a', 1, GOOD));
    await Promise.all(answers(gate, 'a', 2, GOOD, 1));
    const receiver = new Receiver();
    const passages = Array.from({ length: 10 }, (_, index) =>
      gate.pass(hook('a', 7), `${index}`, receiver.exchange('a')),
    );
    await turn();
    assert.equal(receiver.under.length, 3);
    const done = Promise.all(passages);
    for (let left = 10; left > 0; left--) {
      receiver.under[0]?.end(GOOD);
      await turn();
    }
    await done;
    assert.equal(receiver.most, 3);
  });
});
