/** The German annual accounts of small companies (HGB §§ 266, 275, total cost method): headings by groups of SKR 04. */
import { withSide } from '../headings.ts';
import { form, own, ownGroup, unnamed } from './form.ts';

/** The year's result stands on no account: the close takes it to the results carried forward. */
const RESULT = own('P.A.V', 'Jahresüberschuss/Jahresfehlbetrag');
const EARLIER_RESULTS = own('P.A.IV', 'Gewinnvortrag/Verlustvortrag', '2970 2978');

/** Accounts that are assets with a debit balance, and debts with a credit balance. */
const BANKS = '17 18';
const PARTIES = '13 35 37';

export const GERMAN_FORM = form({
  name: { es: 'HGB', en: 'HGB' },
  assets: ownGroup('AKTIVA', 'SUMME AKTIVA', [
    ownGroup('A', 'Anlagevermögen', [
      own('A.I', 'Immaterielle Vermögensgegenstände', '01'),
      own('A.II', 'Sachanlagen', '02 03 04 05 06 07'),
      own('A.III', 'Finanzanlagen', '08 09'),
    ]),
    ownGroup('B', 'Umlaufvermögen', [
      own('B.I', 'Vorräte', '10 11'),
      ownGroup('B.II', 'Forderungen und sonstige Vermögensgegenstände', [
        own('B.II.1', 'Forderungen aus Lieferungen und Leistungen', '12'),
        withSide(own('B.II.2', 'Sonstige Vermögensgegenstände', '14'), 'debit', PARTIES),
      ]),
      own('B.III', 'Wertpapiere', '15'),
      withSide(own('B.IV', 'Kassenbestand und Guthaben bei Kreditinstituten', '16 1460'), 'debit', BANKS),
    ]),
    own('C', 'Rechnungsabgrenzungsposten', '190'),
    own('D', 'Aktive latente Steuern', '195'),
  ]),
  intangible: 'A.I',
  equityAndLiabilities: ownGroup('PASSIVA', 'SUMME PASSIVA', [
    ownGroup('P.A', 'Eigenkapital', [
      own('P.A.I', 'Gezeichnetes Kapital, Kapital der Gesellschafter', '20 21 290 291'),
      own('P.A.II', 'Kapitalrücklage', '292'),
      own('P.A.III', 'Gewinnrücklagen', '293 294 295 296'),
      EARLIER_RESULTS,
      RESULT,
      own('P.A.VI', 'Saldenvorträge', '90'),
    ]),
    own('P.B', 'Rückstellungen', '30'),
    ownGroup('P.C', 'Verbindlichkeiten', [
      withSide(own('P.C.1', 'Verbindlichkeiten gegenüber Kreditinstituten', '31'), 'credit', BANKS),
      own('P.C.2', 'Erhaltene Anzahlungen auf Bestellungen', '32'),
      own('P.C.3', 'Verbindlichkeiten aus Lieferungen und Leistungen', '33'),
      withSide(own('P.C.4', 'Sonstige Verbindlichkeiten', '34 36 38'), 'credit', PARTIES),
    ]),
    own('P.D', 'Rechnungsabgrenzungsposten', '39'),
  ]),
  result: RESULT,
  earlierResults: EARLIER_RESULTS,
  equity: {
    heading: 'P.A',
    capital: ['P.A.I', 'P.A.II'],
    partners: [],
    recognised: [],
    paidTo: ['16', '17', '18', '35', '373'],
  },
  sections: [
    ownGroup('1', 'Betriebsergebnis', [
      own('1.1', 'Umsatzerlöse', '41 42 43 44 45 46 47'),
      own('1.2', 'Bestandsveränderungen an Erzeugnissen', '480 481'),
      own('1.3', 'Andere aktivierte Eigenleistungen', '482'),
      own('1.4', 'Sonstige betriebliche Erträge', '48 49'),
      own('1.5', 'Materialaufwand', '5'),
      own('1.6', 'Personalaufwand', '60 61'),
      own('1.7', 'Abschreibungen', '62'),
      own('1.8', 'Sonstige betriebliche Aufwendungen', '63 64 65 66 67 68 69'),
    ]),
    ownGroup('2', 'Finanzergebnis', [
      own('2.1', 'Erträge aus Beteiligungen und Wertpapieren', '70'),
      own('2.2', 'Zinsen und ähnliche Erträge', '71'),
      own('2.3', 'Abschreibungen auf Finanzanlagen', '72'),
      own('2.4', 'Zinsen und ähnliche Aufwendungen', '73'),
    ]),
    own('3', 'Steuern vom Einkommen und vom Ertrag', '760 761'),
    { ...own('4', 'Ergebnis nach Steuern'), adds: ['1', '2', '3'] },
    own('5', 'Sonstige Steuern', '76'),
    { ...own('6', 'Jahresüberschuss/Jahresfehlbetrag'), adds: ['4', '5'] },
  ],
  others: unnamed('Konten ohne Posten', 'Konten ohne Posten'),
});
