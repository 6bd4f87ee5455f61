import assert from 'node:assert/strict';
import { Turns } from '../../../services/identity/turns.ts';
import { refusedWith } from './helpers.ts';

describe('turns', () => {
  /** Work that goes on until it is ended, and says who works. */
  function workshop(rules: ConstructorParameters<typeof Turns>[0]) {
    const turns = new Turns(rules);
    const working: { readonly who: string; readonly end: () => void }[] = [];
    const done: string[] = [];
    const ask = (who: string) =>
      turns.run(who, () => new Promise<void>((end) => working.push({ who, end }))).then(() => done.push(who));
    const end = async (who: string) => {
      const [index] = working.flatMap((entry, place) => (entry.who === who ? [place] : []));
      assert.ok(index !== undefined, `${who} does not work`);
      working.splice(index, 1)[0]?.end();
      await new Promise(setImmediate);
    };
    return { turns, ask, end, done, working: () => working.map(({ who }) => who) };
  }

  it('do so much at a time, one of each, and let everybody have theirs', async () => {
    const { ask, end, working, done } = workshop({ places: 2, waiting: 100, waitingOfOne: 100 });
    for (let count = 0; count < 5; count++) void ask('flood');
    assert.deepEqual(working(), ['flood']);
    void ask('one');
    assert.deepEqual(working(), ['flood', 'one']);
    void ask('other');
    await end('flood');
    assert.deepEqual(working(), ['one', 'flood']);
    await end('one');
    assert.deepEqual(working(), ['flood', 'other']);
    await end('other');
    assert.deepEqual(working(), ['flood']);
    for (let count = 0; count < 4; count++) await end('flood');
    assert.deepEqual([working(), done.length], [[], 7]);
  });

  it('refuse what would wait too long, of one and in all', async () => {
    const { turns, ask, end, done } = workshop({ places: 1, waiting: 3, waitingOfOne: 2 });
    const refused = (who: string) =>
      assert.rejects(
        turns.run(who, async () => {}),
        refusedWith('too_many_requests'),
      );
    for (let count = 0; count < 3; count++) void ask('flood');
    await refused('flood');
    void ask('one');
    await refused('other');
    for (const who of ['flood', 'flood', 'one', 'flood']) await end(who);
    assert.deepEqual(done, ['flood', 'flood', 'one', 'flood']);
    await turns.run('other', async () => {});
  });

  it('go on after what fails', async () => {
    const { turns } = workshop({ places: 1, waiting: 1, waitingOfOne: 1 });
    await assert.rejects(
      turns.run('one', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await turns.run('one', async () => 7), 7);
  });
});
