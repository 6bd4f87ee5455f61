import assert from 'node:assert/strict';
import { Pace } from '../../../worker/relay/pace.ts';

describe('the pace of handing over', () => {
  let now: number;
  let isBusy: boolean;
  let pace: Pace;
  beforeEach(() => {
    now = 0;
    isBusy = true;
    pace = makePace(5);
  });
  const makePace = (percent: number) => {
    const sleep = async () => undefined;
    return new Pace(percent, { now: () => now, sleep }, () => ({ isBusy }));
  };
  /** @returns milliseconds for which the events of a company are held, while another one has events now and then */
  function heldFor(company: string): number {
    const began = now;
    while (pace.held.includes(company)) {
      now += 100;
      pace.started('other', 0);
    }
    return now - began;
  }

  it('holds up the company whose events start most, for four times as long as they take', () => {
    pace.started('other', 1);
    pace.started('crowd', 100);
    assert.deepEqual(pace.held, ['crowd']);
    const ms = heldFor('crowd');
    assert.ok(ms >= 7800 && ms <= 8200, `held for ${ms} ms: 2500, of which 500 are free`);
  });

  it('leaves a quarter of a processor to events, however little is left to requests', () => {
    pace = makePace(1);
    pace.started('other', 1);
    pace.started('crowd', 100);
    const ms = heldFor('crowd');
    assert.ok(ms >= 7800 && ms <= 8200, `held for ${ms} ms`);
  });

  it('holds nobody up for what others start too', () => {
    for (let at = 0; at < 10; at += 1) for (const company of ['one', 'two']) pace.started(company, 1);
    assert.deepEqual(pace.held, []);
  });

  it('holds nobody up who starts much less than another', () => {
    pace.started('steady', 60);
    assert.deepEqual(pace.held, []);
    pace.started('crowd', 25);
    assert.deepEqual(pace.held, ['steady'], 'the other owes less than half as much');
    pace.started('crowd', 100);
    assert.deepEqual(pace.held, ['crowd']);
    pace.started('steady', 30);
    assert.deepEqual(pace.held, ['steady', 'crowd']);
  });

  it('holds a company up for some seconds at most, whatever one event starts', () => {
    pace.started('other', 1);
    pace.started('crowd', 100_000);
    const ms = heldFor('crowd');
    assert.ok(ms >= 17_000 && ms <= 18_500, `held for ${ms} ms`);
  });

  it('holds nobody up who is alone, nor while processors have time to spare', () => {
    pace.started('alone', 1000);
    assert.deepEqual(pace.held, []);
    pace.started('other', 1);
    assert.deepEqual(pace.held, ['alone']);
    isBusy = false;
    now += 1500;
    assert.deepEqual(pace.held, [], 'they have had time to spare for a second');
    now += 10_000;
    isBusy = true;
    pace.started('alone', 1000);
    assert.deepEqual(pace.held, [], 'the other has had no events for a while');
  });

  it('remembers for a while whose events start very many workflows', () => {
    pace.started('crowd', 20);
    pace.started('other', 2);
    assert.deepEqual(pace.crowds, ['crowd']);
    now += 10_000;
    assert.deepEqual(pace.crowds, []);
  });

  it('takes small batches while processors are busy and several companies have events', () => {
    pace.started('one', 1);
    assert.equal(pace.batch(500), 500, 'nobody else waits');
    pace.started('other', 1);
    assert.equal(pace.batch(500), 10);
    pace.started('one', 1);
    assert.equal(pace.batch(500), 10, 'the other was there a moment ago');
    isBusy = false;
    now += 1500;
    assert.equal(pace.batch(500), 500);
    isBusy = true;
    now += 8600;
    pace.started('one', 1);
    assert.equal(pace.batch(500), 500, 'the other has gone');
  });

  it('is that of the events where no limit is set', () => {
    pace = makePace(0);
    pace.started('other', 1);
    pace.started('crowd', 1000);
    assert.deepEqual(pace.held, []);
    assert.equal(pace.batch(500), 500);
  });
});
