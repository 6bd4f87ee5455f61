import assert from 'node:assert/strict';
import { certificateHolder, daysLeft, warningDue } from '../../../../domain/ledger/verifactu/certificate.ts';

describe('certificates of Veri*factu', () => {
  const [name, serial, organization, organizationId] = ['2.5.4.3', '2.5.4.5', '2.5.4.10', '2.5.4.97'] as const;

  it('belong to the company that a representative stands for, or to the person', () => {
    const person = { [name]: 'PRUEBA ANA - 12345678Z', [serial]: 'IDCES-12345678Z' };
    assert.deepEqual(certificateHolder(person), { name: 'PRUEBA ANA - 12345678Z', taxId: '12345678Z' });
    const representative = { ...person, [organization]: 'Empresa SL', [organizationId]: 'VATES-B12345674' };
    assert.deepEqual(certificateHolder(representative), { name: 'Empresa SL', taxId: 'B12345674' });
    assert.deepEqual(certificateHolder({ [name]: 'X', [serial]: '12345678Z' }), { name: 'X', taxId: '12345678Z' });
    assert.deepEqual(certificateHolder({ [name]: 'X', [serial]: '42' }), { name: 'X', taxId: null });
  });

  it('are warned of 60, 30, 7 and 1 days before their end, and once after it, each time once', () => {
    const until = new Date('2026-12-31T12:00:00Z');
    let told: number | null = null;
    const warnings: string[] = [];
    for (let hour = -90 * 24; hour <= 72; hour += 6) {
      const days = daysLeft(until, new Date(until.getTime() + hour * 3_600_000));
      const due = warningDue(days, told);
      if (due !== null) warnings.push(`${due}: ${days}`);
      told = due ?? told;
    }
    assert.deepEqual(warnings, ['60: 59', '30: 29', '7: 6', '1: 0', '0: -1']);
  });

  it('that are new and end soon are warned of once', () => {
    assert.equal(warningDue(5, null), 7);
    assert.equal(warningDue(5, 7), null);
    assert.equal(warningDue(0, 7), 1);
  });
});
