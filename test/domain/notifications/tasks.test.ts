import assert from 'node:assert/strict';
import { endedTask } from '../../../domain/notifications/tasks.ts';

describe('texts of ended tasks', () => {
  it('say in both languages what ended, and how', () => {
    const { title, body, es } = endedTask('import', false, 'Row 3 is wrong');
    assert.deepEqual(
      [title, es.title, body, es.body],
      ['Your import has failed', 'Su importación ha fallado', 'Row 3 is wrong', 'Row 3 is wrong'],
    );
    assert.equal(endedTask('reconciliation', true, 'x').es.title, 'Su conciliación de pagos ha terminado');
  });
});
