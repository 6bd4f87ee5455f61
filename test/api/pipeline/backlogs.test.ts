import assert from 'node:assert/strict';
import { Backlogs } from '../../../api/pipeline/backlogs.ts';
import type { Handlers } from '../../../db/listener.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { BACKLOG_CHANNEL, type Wait } from '../../../services/platform/outbox/backlog.ts';
import { useApp } from '../../helpers/hooks.ts';
import { eventually } from '../../helpers/worker.ts';

const UNIT = { code: 'LATE', name: 'Unit' };

describe('companies whose events wait for long', () => {
  describe('are slowed down', () => {
    let now: number;
    let slept: number[];
    let warned: object[];
    let hear: (wait: Partial<Wait>, times?: number) => void;
    let backlogs: Backlogs;
    beforeEach(() => {
      [now, slept, warned] = [0, [], []];
      let told: Handlers | undefined;
      const callers = {
        subscribe(channel: string, handlers: Handlers) {
          assert.equal(channel, BACKLOG_CHANNEL);
          told = handlers;
        },
      };
      const clock = { now: () => now, sleep: async (ms: number) => slept.push(Math.round(ms)) };
      backlogs = new Backlogs(callers, { warn: (about: object) => warned.push(about) }, clock);
      hear = (wait, times = 1) => {
        for (let time = 0; time < times; time++) {
          told?.notified(JSON.stringify([{ tenantId: 'late', seconds: 0, growth: 0, ...wait }]));
        }
      };
    });
    const pause = async () => {
      await backlogs.turn('late');
      return slept.splice(0)[0] ?? 0;
    };
    /** Takes the writes that are not slowed down. */
    const useUp = () => {
      for (let write = 0; write < 4; write++) assert.equal(backlogs.turn('late'), null);
    };

    it('more each second while their backlog is long and does not shrink, two seconds at most', async () => {
      const pauses: number[] = [];
      for (let second = 0; second < 5; second++) {
        hear({ seconds: 10, growth: 0.1 });
        if (second === 0) useUp();
        pauses.push(await pause());
      }
      assert.deepEqual(pauses, [20, 45, 76, 115, 164]);
      hear({ seconds: 15, growth: -0.05 }, 30);
      assert.equal(await pause(), 2000);
      assert.equal(backlogs.turn('other'), null);
    });

    it('no more while it shrinks as it should, and less while it shrinks faster, or is short', async () => {
      hear({ seconds: 15, growth: 0 }, 5);
      useUp();
      const before = await pause();
      hear({ seconds: 15, growth: -0.18 }, 3);
      assert.equal(await pause(), before);
      hear({ seconds: 15, growth: -0.4 });
      assert.ok(Math.abs((await pause()) - before * 0.85) <= 1);
      hear({ seconds: 3, growth: 0.5 }, 20);
      assert.equal(backlogs.turn('late'), null);
    });

    it('only while relays tell it, and the log says once that it begins', () => {
      hear({ seconds: 11, growth: 0.1 }, 2);
      assert.deepEqual(warned, [{ tenant_id: 'late', seconds: 11 }]);
      assert.equal(backlogs.slowed, 1);
      now = 2500;
      assert.equal(backlogs.slowed, 0);
      assert.equal(backlogs.turn('late'), null);
      hear({ seconds: 12, growth: 0.1 });
      assert.equal(warned.length, 2);
    });

    it('until what they cause would come too late: then they are asked to come back', () => {
      hear({ seconds: 41.5 });
      useUp();
      const refused = (error: unknown) =>
        error instanceof ServiceError && error.code === 'too_many_requests' && error.retryAfter === 5;
      assert.throws(() => backlogs.turn('late'), refused);
    });

    it('but for two writes a second, which are those of people', () => {
      hear({ seconds: 60 });
      useUp();
      assert.throws(() => backlogs.turn('late'));
      now = 499;
      assert.throws(() => backlogs.turn('late'));
      now = 500;
      hear({ seconds: 60 });
      assert.equal(backlogs.turn('late'), null);
      assert.throws(() => backlogs.turn('late'));
    });
  });

  describe('over HTTP', () => {
    const app = useApp();

    it('have their writes refused, and read and preview as always', async () => {
      const tell = (seconds: number) => {
        const waits: Wait[] = [{ tenantId: app.tenantId, seconds, growth: 0 }];
        return app.database.notify(BACKLOG_CHANNEL, JSON.stringify(waits));
      };
      const write = () => app.client.post('/api/uom', UNIT);
      await eventually(async () => {
        await tell(60);
        // The first ones, which may be a person's, are not refused: they repeat a code.
        const answers = [await write(), await write(), await write(), await write(), await write(), await write()];
        const refused = answers.find(({ status }) => status === 429);
        assert.match(refused?.body.detail ?? '', /can be delivered in time/);
        assert.equal(refused?.headers.get('Retry-After'), '5');
      });
      assert.equal((await app.client.get('/api/uom?code=LATE')).body.data.length, 1);
      assert.equal((await app.client.post('/api/uom?preview=true', { ...UNIT, code: 'NEXT' })).status, 200);
      await eventually(async () => assert.equal((await write()).status, 409), 10_000);
    });
  });
});
