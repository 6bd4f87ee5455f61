import assert from 'node:assert/strict';
import { ServiceError as CallFailed } from '@temporalio/client';
import { ServiceError } from '../../../domain/errors.ts';
import { isOwnFailure } from '../../../worker/relay/failures.ts';

describe('the reason why an event could not be handed over', () => {
  const coded = (code: number) => Object.assign(new Error('of a call'), { code });
  const named = (name: string) => Object.assign(new Error('of a connection'), { name });

  it('is Temporal or the database when these are down or busy', () => {
    const outages = [
      coded(14),
      new CallFailed('away', { cause: coded(4) }),
      new CallFailed('away'),
      new CallFailed('away', { cause: named('TransportError') }),
      named('ShutdownError'),
      new ServiceError('unavailable', 'The database does not answer'),
      ...['53100', '53200', '53300', '25006', '58030', '57P01'].map((code) =>
        Object.assign(new Error('of PostgreSQL'), { code, severity: 'ERROR' }),
      ),
      Object.assign(new Error('of a file'), { code: 'ENOSPC' }),
    ];
    for (const error of outages) assert.equal(isOwnFailure(error), false, String(error.cause ?? error));
  });

  it('is the event when it is refused or invalid', () => {
    const own = [coded(3), new CallFailed('refused', { cause: coded(3) }), new TypeError('no sense'), 'thrown text'];
    for (const error of own) assert.equal(isOwnFailure(error), true, String(error));
  });
});
