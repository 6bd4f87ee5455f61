import assert from 'node:assert/strict';
import { loadConfig } from '../../config/index.ts';
import { Restarts } from '../../config/restarts.ts';
import { apiProcesses } from '../../runtime/defaults.ts';

describe('parts of a start', () => {
  it('have half of the cores for the API, four at most, unless a number is given', () => {
    const on = (cores: number, env: Record<string, string> = {}) => apiProcesses(loadConfig(env), env, cores);
    assert.deepEqual(
      [1, 2, 3, 4, 8, 64].map((cores) => on(cores)),
      [1, 1, 1, 2, 4, 4],
    );
    assert.deepEqual(
      [on(2, { API_PROCESSES: ' 3 ' }), on(64, { API_PROCESSES: '1' }), on(4, { API_PROCESSES: '' })],
      [3, 1, 2],
    );
  });

  it('are started again ever later, and not after five deaths within a minute', () => {
    const restarts = new Restarts();
    assert.deepEqual(
      [0, 20_000, 70_000, 71_000, 72_000].map((time) => restarts.afterDeath(time)),
      [250, 500, 500, 1000, 2000],
    );
    assert.equal(restarts.afterDeath(73_000), undefined);
  });
});
