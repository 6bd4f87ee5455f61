import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { asActivityFailure } from '../../activities/failures.ts';
import { translateDatabaseError } from '../../db/errors.ts';
import { ServiceError } from '../../domain/errors.ts';

describe('failures of activities', () => {
  it('are retried where the machine is at fault, and not where only a person can change the outcome', () => {
    for (const code of ['53100', '53200', '53300', '25006', '58030', '57P01']) {
      const refused = Object.assign(new Error('of PostgreSQL'), { code, severity: 'ERROR' });
      const failure = asActivityFailure(translateDatabaseError(refused));
      assert.ok(failure instanceof ServiceError && failure.status === 503, code);
    }
    const failure = asActivityFailure(new ServiceError('period_closed', 'The period is closed'));
    assert.ok(failure instanceof ApplicationFailure && failure.nonRetryable);
  });
});
