/** The French annual accounts in the short form (plan comptable général, art. 821-1 and 821-4): headings by groups of accounts. */
import { withSide } from '../headings.ts';
import { form, own, ownGroup, unnamed } from './form.ts';

/** Receivables with a debit balance, debts with a credit balance. */
const EITHER = '42 43 44 45 46 47';
const RESULT = own('I.4', "Résultat de l'exercice", '12');
const EARLIER_RESULTS = own('I.3', 'Report à nouveau', '11');

export const FRENCH_FORM = form({
  name: { es: 'Plan comptable général', en: 'Plan comptable général' },
  assets: ownGroup('ACTIF', 'TOTAL ACTIF', [
    ownGroup('A', 'Actif immobilisé', [
      own('A.1', 'Immobilisations incorporelles', '20 237 280 290'),
      own('A.2', 'Immobilisations corporelles', '21 231 238 281 291'),
      own('A.3', 'Immobilisations financières', '26 27 296 297'),
    ]),
    ownGroup('B', 'Actif circulant', [
      own('B.1', 'Stocks et en-cours', '3'),
      own('B.2', 'Avances et acomptes versés sur commandes', '4091'),
      own('B.3', 'Créances clients et comptes rattachés', '411 413 416 418 491'),
      withSide(own('B.4', 'Autres créances', '4096 4098 441 4456 4487 462'), 'debit', EITHER),
      own('B.5', 'Valeurs mobilières de placement', '50 59'),
      withSide(own('B.6', 'Disponibilités', '511 53 58'), 'debit', '512 517'),
      own('B.7', "Charges constatées d'avance", '486'),
    ]),
    own('C', 'Comptes de régularisation', '476 481'),
  ]),
  intangible: 'A.1',
  equityAndLiabilities: ownGroup('PASSIF', 'TOTAL PASSIF', [
    ownGroup('I', 'Capitaux propres', [
      own('I.1', 'Capital et primes', '101 104 105 108 109'),
      own('I.2', 'Réserves', '106'),
      EARLIER_RESULTS,
      RESULT,
      own('I.5', "Subventions d'investissement", '13'),
      own('I.6', 'Provisions réglementées', '14'),
    ]),
    own('II', 'Provisions', '15'),
    ownGroup('III', 'Dettes', [
      withSide(own('III.1', 'Emprunts et dettes financières', '16 519'), 'credit', '512 517'),
      own('III.2', 'Avances et acomptes reçus sur commandes', '4191'),
      own('III.3', 'Dettes fournisseurs et comptes rattachés', '401 403 408'),
      own('III.4', 'Dettes sur immobilisations et comptes rattachés', '404 405'),
      withSide(own('III.5', 'Dettes fiscales et sociales', '4452 4455 4457 4458'), 'credit', '42 43 44'),
      withSide(own('III.6', 'Autres dettes', '4196 4198 457'), 'credit', '45 46 47'),
      own('III.7', "Produits constatés d'avance", '487'),
    ]),
    own('IV', 'Différences de conversion, passif', '477'),
  ]),
  result: RESULT,
  earlierResults: EARLIER_RESULTS,
  equity: {
    heading: 'I',
    capital: ['I.1'],
    partners: [],
    recognised: ['I.5', 'I.6'],
    paidTo: ['455', '457', '51', '53'],
  },
  sections: [
    ownGroup('1', "RÉSULTAT D'EXPLOITATION", [
      own('1.1', 'Ventes de marchandises', '707 7097'),
      own('1.2', 'Production vendue', '70'),
      own('1.3', 'Production stockée et immobilisée', '71 72'),
      own('1.4', "Subventions d'exploitation", '74'),
      own('1.5', 'Autres produits', '75 781'),
      own('1.6', 'Achats de marchandises et variation des stocks', '607 6037 6097'),
      own('1.7', 'Achats de matières et variation des stocks', '601 602 6031 6032 608 609'),
      own('1.8', 'Autres achats et charges externes', '604 605 606 61 62'),
      own('1.9', 'Impôts, taxes et versements assimilés', '63'),
      own('1.10', 'Salaires et charges sociales', '64'),
      own('1.11', 'Dotations aux amortissements, dépréciations et provisions', '681'),
      own('1.12', 'Autres charges', '65'),
    ]),
    ownGroup('2', 'RÉSULTAT FINANCIER', [
      own('2.1', 'Produits financiers', '76 786'),
      own('2.2', 'Charges financières', '66 686'),
    ]),
    { ...own('3', 'RÉSULTAT COURANT AVANT IMPÔTS (1 + 2)'), adds: ['1', '2'] },
    ownGroup('4', 'RÉSULTAT EXCEPTIONNEL', [
      own('4.1', 'Produits exceptionnels', '77 787'),
      own('4.2', 'Charges exceptionnelles', '67 687'),
    ]),
    own('5', 'Participation des salariés et impôts sur les bénéfices', '69'),
    { ...own('6', 'BÉNÉFICE OU PERTE (3 + 4 + 5)'), adds: ['3', '4', '5'] },
  ],
  others: unnamed('Comptes sans rubrique', 'Comptes sans rubrique'),
});
