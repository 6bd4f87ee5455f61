import assert from 'node:assert/strict';
import { ERROR_CODES, inUse, invalidMember, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { findTranslation, translate } from '../../../domain/locale/messages.ts';
import { SPANISH } from '../../../domain/locale/messages-es/index.ts';
import { translateError } from '../../../domain/locale/translate-error.ts';
import { messageTemplates } from '../../helpers/message-templates.ts';

const holes = (template: string) => [...new Set(template.match(/\{\d\}/g))].sort();

describe('messages in Spanish', () => {
  it('exist for everything that the service says', () => {
    const templates = messageTemplates();
    assert.ok(templates.size > 900, `found ${templates.size} templates`);
    const missing = [...templates].filter(([template]) => {
      // Names that no catalogue has, so that the words around them must be known.
      const said = template.replaceAll(/\{(\d)\}/g, 'Qx$1');
      return findTranslation(said, 'es') === undefined;
    });
    assert.deepEqual(
      missing.map(([template, place]) => `${place}: ${template}`),
      [],
    );
  });

  it('exist for the titles of all refusals', () => {
    const titles = Object.values(ERROR_CODES).map(({ title }) => title);
    assert.deepEqual(
      titles.filter((title) => findTranslation(title, 'es') === undefined),
      [],
    );
  });

  it('have the holes of the English ones', () => {
    const wrong = SPANISH.filter(([english, spanish]) => holes(spanish).some((hole) => !holes(english).includes(hole)));
    assert.deepEqual(wrong, []);
  });

  it('are each there once', () => {
    const templates = SPANISH.map(([english]) => english);
    assert.deepEqual(
      templates.filter((template, nth) => templates.indexOf(template) !== nth),
      [],
    );
  });

  it('take over what is inserted, and translate words in it', () => {
    assert.equal(translate('SINV2026-7 has been cancelled', 'es'), 'SINV2026-7 se ha cancelado');
    assert.equal(translate('must be an object or null', 'es'), 'debe ser un objeto o null');
    assert.equal(
      translate('limit must be a whole number from 1 to 200', 'es'),
      'limit debe ser un número entero de 1 a 200',
    );
    assert.equal(
      translate(
        'A: 0 on hand of batch N in this zone (5 more in batches that are not confirmed and 2 more in expired batches), 1 needed',
        'es',
      ),
      'A: 0 en existencias del lote N en esta zona (5 más en lotes sin confirmar y 2 más en lotes caducados), se necesitan 1',
    );
    assert.equal(translate('SINV2026-7 has been cancelled', 'en'), 'SINV2026-7 has been cancelled');
    assert.equal(translate('what nobody says', 'es'), 'what nobody says');
    // The template with most letters of its own wins, wherever its holes are.
    assert.equal(translate('This order does not exist', 'es'), 'Esta remesa no existe');
    assert.equal(translate('This sales invoice does not exist', 'es'), 'Esta factura de venta no existe');
  });

  it('keep the codes and pointers of refusals', () => {
    const { title, detail, errors } = translateError(
      validationFailed([
        { pointer: '/lines/0/quantity', code: 'required', message: 'is required' },
        { pointer: '/date', code: 'out_of_range', message: 'must not be in the future' },
      ]),
      'es',
    );
    assert.equal(title, 'La petición no es válida');
    assert.equal(detail, '/lines/0/quantity: es obligatorio (y 1 más)');
    assert.deepEqual(errors, [
      { pointer: '/lines/0/quantity', code: 'required', message: 'es obligatorio' },
      { pointer: '/date', code: 'out_of_range', message: 'no debe estar en el futuro' },
    ]);
    const used = inUse([
      { entityType: 'SalesInvoice', count: 2 },
      { entityType: 'Payment', count: 1 },
      { entityType: 'Price', count: 100, atLeast: true },
    ]);
    assert.equal(translateError(used, 'es').detail, 'Se usa en 2 facturas de venta, 1 pago y al menos 100 precios');
  });

  it('stay as they are in English', () => {
    const refusal = invalidMember('/name', 'required', 'is required');
    assert.equal(translateError(refusal, 'en').detail, refusal.message);
    assert.equal(translateError(new ServiceError('duplicate', 'No such text'), 'es').detail, 'No such text');
  });

  it('cost little, whatever a client has put into them', () => {
    const texts = [
      'a, '.repeat(3000),
      'a; '.repeat(3000),
      'a and b or '.repeat(1000),
      'x'.repeat(100_000),
      ' '.repeat(5000),
    ];
    for (const text of texts) {
      const before = process.cpuUsage();
      for (let times = 0; times < 100; times++) translate(`"${text}" is not an e-mail address; ${text}`, 'es');
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms for ${text.slice(0, 10)}`);
    }
  });
});
