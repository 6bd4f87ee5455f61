import assert from 'node:assert/strict';
import { LEGAL_TEXTS, legalText } from '../../../../domain/trade/documents/legal-texts.ts';
import { MENTIONS, type MentionedLine, mentionsFor } from '../../../../domain/trade/documents/mentions.ts';
import type { VatRegime } from '../../../../domain/trade/documents/vat.ts';

const goods = { regime: null, taxRate: '0', taxKind: 'vat', goods: true } as const;
const service = { ...goods, goods: false } as const;
const mentions = (regime: VatRegime, lines: readonly MentionedLine[]) =>
  mentionsFor(regime, lines).map(({ mention }) => mention);

describe('mentions of an invoice without VAT', () => {
  it('tell goods from services', () => {
    assert.deepEqual(mentions('intra_eu', [service, goods, goods]), ['intraEuGoods', 'intraEuServices']);
    assert.deepEqual(mentions('export', [goods]), ['exportGoods']);
    assert.deepEqual(mentions('export', [service]), ['exportServices']);
  });

  it('follow the regime, and within the domestic ones the tax', () => {
    assert.deepEqual(mentions('reverse_charge', [goods]), ['reverseCharge']);
    assert.deepEqual(mentions('exempt', [goods]), ['exempt']);
    assert.deepEqual(mentions('not_subject', [goods]), ['notSubject']);
    assert.deepEqual(mentions('general', [{ ...goods, taxKind: 'exempt' }]), ['exempt']);
    assert.deepEqual(mentions('surcharge', [{ ...goods, taxKind: 'reverse_charge' }]), ['reverseCharge']);
    assert.deepEqual(mentions('intra_eu', [{ ...goods, taxKind: 'exempt' }]), ['exempt']);
  });

  it('follow the reason of a tax, whose article is cited', () => {
    const because = (exemptionReason: MentionedLine['exemptionReason'], article: string | null = null) => {
      const taxKind = exemptionReason?.startsWith('N') ? ('not_subject' as const) : ('exempt' as const);
      return { ...service, taxKind, exemptionReason: exemptionReason ?? null, exemptionArticle: article };
    };
    assert.deepEqual(
      mentions(
        'general',
        (['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'N1', 'N2'] as const).map((one) => because(one)),
      ),
      [
        'intraEuGoods',
        'exportGoods',
        'likeExport',
        'customsZone',
        'exportServices',
        'exempt',
        'otherExempt',
        'notSubject',
      ],
    );
    const cited = mentionsFor('general', [because('E1', 'art. 20.Uno.9.º'), because('E1'), because('E1')]);
    assert.deepEqual(cited, [
      { mention: 'exempt', article: 'art. 20.Uno.9.º' },
      { mention: 'exempt', article: null },
    ]);
    const [first, second] = cited.map(({ mention, article }) =>
      legalText(mention, article, { language: 'es', spanish: true, taxSet: 'vat' }),
    );
    assert.equal(first, 'Operación exenta de IVA (art. 20.Uno.9.º)');
    assert.equal(second, 'Operación exenta de IVA (art. 20 de la Ley 37/1992)');
  });

  it('have words for all in each language', () => {
    assert.deepEqual(Object.keys(LEGAL_TEXTS).sort(), [...MENTIONS].sort());
    const abroad = { language: 'en', spanish: false, taxSet: 'vat' } as const;
    assert.equal(legalText('exportGoods', null, abroad), 'Export, exempt from VAT');
    const islands = { language: 'es', spanish: true, taxSet: 'igic' } as const;
    assert.equal(legalText('exportGoods', null, islands), 'Exportación exenta de IGIC');
    assert.equal(
      legalText('exempt', 'comerciante minorista', islands),
      'Operación exenta de IGIC (comerciante minorista)',
    );
  });

  it('follow the regime of the line before that of the document', () => {
    assert.deepEqual(mentions('general', [{ ...goods, regime: 'export' }]), ['exportGoods']);
    assert.deepEqual(mentions('export', [{ ...goods, regime: 'general' }]), []);
  });

  it('are needed only for lines without VAT', () => {
    assert.deepEqual(mentions('general', [goods]), []);
    assert.deepEqual(mentions('intra_eu', [{ ...goods, taxRate: '21' }]), []);
    assert.deepEqual(
      mentions('exempt', [
        { ...goods, taxRate: '21' },
        { ...goods, taxRate: '0.0000' },
      ]),
      ['exempt'],
    );
  });
});
