import assert from 'node:assert/strict';
import { endedTask } from '../../../../domain/messages/notifications/tasks.ts';

describe('endedTask', () => {
  it('names the task and its result in both languages', () => {
    const { title, body, es } = endedTask('import', false, 'Line 3: is required');
    assert.deepEqual(
      [title, es.title, body, es.body],
      ['Your import has failed', 'Su importación ha fallado', 'Line 3: is required', 'Línea 3: es obligatorio'],
    );
    assert.equal(endedTask('reconciliation', true, 'x').es.title, 'Su conciliación de pagos ha terminado');
  });
});
