import assert from 'node:assert/strict';
import { Debts } from '../../../../services/platform/fairness/debts.ts';
import { processorReader } from '../../../../services/platform/fairness/processors.ts';

describe('debts of companies', () => {
  let now: number;
  let debts: Debts;
  const sleep = async (ms: number) => {
    now += ms;
  };
  beforeEach(() => {
    now = 0;
    debts = new Debts({ share: () => 0.5, aheadMs: 100, mostMs: 1000, presentMs: 300 }, { now: () => now, sleep });
  });

  it('are paid back as time goes by, and never more than once', () => {
    debts.charge('a', 400);
    now += 200;
    assert.equal(debts.of('a'), 300);
    assert.equal(debts.of('a'), 300);
    debts.charge('a', -1000);
    assert.equal(debts.of('a'), 0);
    now += 5000;
    debts.charge('a', 400);
    assert.equal(debts.of('a'), 400, 'nothing is paid in advance');
  });

  it('have an end, and are each company’s own', () => {
    debts.charge('a', 10_000);
    debts.charge('b', 200);
    assert.equal(debts.of('a'), 1000);
    assert.equal(debts.most, 1000);
    assert.equal(debts.of('c'), 0);
  });

  it('make nobody wait without others, who are there for a while', () => {
    debts.charge('a', 500);
    debts.see('a');
    assert.deepEqual(debts.waiting, []);
    debts.see('b');
    assert.deepEqual(debts.waiting, ['a']);
    now += 299;
    assert.deepEqual(debts.waiting, ['a']);
    now += 1;
    assert.deepEqual(debts.waiting, []);
  });

  it('let the company begin as soon as it owes no more than it may, or others are gone', async () => {
    debts.charge('a', 200);
    debts.see('b');
    const began = await debts.turn('a', () => now);
    assert.ok(began >= 200 && began <= 210, `began after ${began} ms`);
    debts.charge('a', 1000);
    debts.see('b');
    const later = await debts.turn('a', () => now);
    assert.ok(later - began >= 300 && later - began <= 400, `began after ${later - began} ms`);
  });
});

describe('a reading of the processors', () => {
  it('tells what this process took since the last one, and that its thread was busy', () => {
    const read = processorReader();
    read();
    // Until it has taken them, however much of the machine it gets.
    const start = process.cpuUsage();
    const taken = () => (({ user, system }) => user + system)(process.cpuUsage(start));
    while (taken() < 150_000);
    const { used, isBusy } = read();
    assert.ok(used > 50 && used < 5000, `${used} ms`);
    assert.equal(isBusy, true);
  });
});
