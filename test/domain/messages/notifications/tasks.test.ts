import assert from 'node:assert/strict';
import { endedTask } from '../../../../domain/messages/notifications/tasks.ts';

describe('endedTask', () => {
  it('names the task and its result in both languages', () => {
    const { title, body, es } = endedTask('import', false, 'Row 3 is wrong');
    assert.deepEqual(
      [title, es.title, body, es.body],
      ['Your import has failed', 'Su importación ha fallado', 'Row 3 is wrong', 'Row 3 is wrong'],
    );
    assert.equal(endedTask('reconciliation', true, 'x').es.title, 'Su conciliación de pagos ha terminado');
  });
});
