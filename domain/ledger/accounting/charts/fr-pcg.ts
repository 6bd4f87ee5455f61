/** The French plan comptable général (ANC 2014-03, as changed by 2022-06), as far as a small company needs it, with TVA by rate. */
import { type AccountChart, accountGroups, buildChart, type TaxSeed } from './chart.ts';

const HEADINGS = `
1 E Comptes de capitaux
10 E Capital et réserves
11 E Report à nouveau
12 E Résultat de l'exercice
13 E Subventions d'investissement
14 E Provisions réglementées
15 L Provisions
16 L Emprunts et dettes assimilées
2 A Comptes d'immobilisations
20 A Immobilisations incorporelles
21 A Immobilisations corporelles
23 A Immobilisations en cours
26 A Participations et créances rattachées
27 A Autres immobilisations financières
28 A Amortissements des immobilisations
29 A Dépréciations des immobilisations
3 A Comptes de stocks et en-cours
31 A Matières premières
32 A Autres approvisionnements
33 A En-cours de production de biens
35 A Stocks de produits
37 A Stocks de marchandises
39 A Dépréciations des stocks et en-cours
4 A Comptes de tiers
40 L Fournisseurs et comptes rattachés
41 A Clients et comptes rattachés
42 L Personnel et comptes rattachés
43 L Sécurité sociale et autres organismes sociaux
44 L État et autres collectivités publiques
445 L État, taxes sur le chiffre d'affaires
45 L Groupe et associés
46 L Débiteurs et créditeurs divers
47 L Comptes transitoires ou d'attente
48 A Comptes de régularisation
49 A Dépréciations des comptes de tiers
5 A Comptes financiers
50 A Valeurs mobilières de placement
51 A Banques, établissements financiers et assimilés
53 A Caisse
58 A Virements internes
59 A Dépréciations des comptes financiers
6 X Comptes de charges
60 X Achats
61 X Services extérieurs
62 X Autres services extérieurs
63 X Impôts, taxes et versements assimilés
64 X Charges de personnel
65 X Autres charges de gestion courante
66 X Charges financières
67 X Charges exceptionnelles
68 X Dotations aux amortissements, dépréciations et provisions
69 X Participation des salariés, impôts sur les bénéfices et assimilés
7 I Comptes de produits
70 I Ventes de produits fabriqués, prestations de services, marchandises
71 I Production stockée
72 I Production immobilisée
74 I Subventions
75 I Autres produits de gestion courante
76 I Produits financiers
77 I Produits exceptionnels
78 I Reprises sur amortissements, dépréciations et provisions
`;

const ACCOUNTS = `
101 E Capital
1013 E Capital souscrit, appelé, versé
104 E Primes liées au capital
105 E Écarts de réévaluation
106 E Réserves
1061 E Réserve légale
1063 E Réserves statutaires ou contractuelles
1068 E Autres réserves
108 E Compte de l'exploitant
109 E Actionnaires, capital souscrit non appelé
110 E Report à nouveau, solde créditeur
119 E Report à nouveau, solde débiteur
120 E Résultat de l'exercice, bénéfice
129 E Résultat de l'exercice, perte
131 E Subventions d'investissement octroyées
139 E Subventions d'investissement inscrites au compte de résultat
145 E Amortissements dérogatoires
151 L Provisions pour risques
155 L Provisions pour impôts
158 L Autres provisions pour charges
164 L Emprunts auprès des établissements de crédit
165 L Dépôts et cautionnements reçus
168 L Autres emprunts et dettes assimilées
201 A Frais d'établissement
203 A Frais de développement
205 A Concessions, brevets, licences, marques, logiciels et droits similaires
206 A Droit au bail
207 A Fonds commercial
208 A Autres immobilisations incorporelles
211 A Terrains
213 A Constructions
215 A Installations techniques, matériels et outillage industriels
218 A Autres immobilisations corporelles
2181 A Installations générales, agencements, aménagements divers
2182 A Matériel de transport
2183 A Matériel de bureau et matériel informatique
2184 A Mobilier
231 A Immobilisations corporelles en cours
237 A Avances et acomptes versés sur immobilisations incorporelles
238 A Avances et acomptes versés sur immobilisations corporelles
261 A Titres de participation
271 A Titres immobilisés
274 A Prêts
275 A Dépôts et cautionnements versés
280 A Amortissements des immobilisations incorporelles
281 A Amortissements des immobilisations corporelles
290 A Dépréciations des immobilisations incorporelles
291 A Dépréciations des immobilisations corporelles
296 A Dépréciations des participations
311 A Matières premières et fournitures
321 A Matières consommables
331 A Produits en cours
355 A Produits finis
371 A Marchandises
391 A Dépréciations des matières premières
395 A Dépréciations des stocks de produits
397 A Dépréciations des stocks de marchandises
401 L Fournisseurs
403 L Fournisseurs, effets à payer
404 L Fournisseurs d'immobilisations
405 L Fournisseurs d'immobilisations, effets à payer
408 L Fournisseurs, factures non parvenues
4091 A Fournisseurs, avances et acomptes versés sur commandes
4096 A Fournisseurs, créances pour emballages et matériel à rendre
4098 A Rabais, remises, ristournes à obtenir
411 A Clients
413 A Clients, effets à recevoir
416 A Clients douteux ou litigieux
418 A Clients, produits non encore facturés
4191 L Clients, avances et acomptes reçus sur commandes
4196 L Clients, dettes pour emballages et matériel consignés
4198 L Rabais, remises, ristournes à accorder
421 L Personnel, rémunérations dues
422 L Comité social et économique
425 A Personnel, avances et acomptes
427 L Personnel, oppositions
428 L Personnel, charges à payer
431 L Sécurité sociale
437 L Autres organismes sociaux
438 L Organismes sociaux, charges à payer
441 A État, subventions à recevoir
442 L Contributions, impôts et taxes recouvrés pour le compte de l'État
4421 L Prélèvements à la source, impôt sur le revenu
444 L État, impôts sur les bénéfices
4452 L TVA due intracommunautaire
4455 L Taxes sur le chiffre d'affaires à décaisser
44551 L TVA à décaisser
4456 A Taxes sur le chiffre d'affaires déductibles
44562 A TVA déductible sur immobilisations
44566 A TVA déductible sur autres biens et services
445661 A TVA déductible, taux normal 20 %
445662 A TVA déductible intracommunautaire
445663 A TVA déductible, taux intermédiaire 10 %
445664 A TVA déductible, taux réduit 5,5 %
445665 A TVA déductible, taux particulier 2,1 %
445669 A TVA déductible en attente de paiement
44567 A Crédit de TVA à reporter
4457 L Taxes sur le chiffre d'affaires collectées
44571 L TVA collectée
445711 L TVA collectée, taux normal 20 %
445712 L TVA collectée, taux intermédiaire 10 %
445713 L TVA collectée, taux réduit 5,5 %
445714 L TVA collectée, taux particulier 2,1 %
44574 L TVA collectée en attente d'encaissement
44578 L Taxes assimilées à la TVA
4458 L Taxes sur le chiffre d'affaires à régulariser ou en attente
44583 A Remboursement de taxes sur le chiffre d'affaires demandé
44586 A TVA sur factures non parvenues
44587 L TVA sur factures à établir
447 L Autres impôts, taxes et versements assimilés
4486 L État, charges à payer
4487 A État, produits à recevoir
451 L Groupe
455 L Associés, comptes courants
457 L Associés, dividendes à payer
462 A Créances sur cessions d'immobilisations
467 L Autres comptes débiteurs ou créditeurs
471 L Comptes d'attente
476 A Différences de conversion, actif
477 L Différences de conversion, passif
481 A Frais d'émission des emprunts
486 A Charges constatées d'avance
487 L Produits constatés d'avance
491 A Dépréciations des comptes de clients
503 A Actions
506 A Obligations
511 A Valeurs à l'encaissement
512 A Banques
517 A Autres organismes financiers
519 L Concours bancaires courants
531 A Caisse, siège social
580 A Virements internes
590 A Dépréciations des valeurs mobilières de placement
601 X Achats stockés, matières premières et fournitures
602 X Achats stockés, autres approvisionnements
6031 X Variation des stocks de matières premières et fournitures
6032 X Variation des stocks des autres approvisionnements
6037 X Variation des stocks de marchandises
60379 X Écarts sur coûts standards
604 X Achats d'études et prestations de services
605 X Achats de matériel, équipements et travaux
606 X Achats non stockés de matière et fournitures
6061 X Fournitures non stockables, eau, énergie
6063 X Fournitures d'entretien et de petit équipement
6064 X Fournitures administratives
607 X Achats de marchandises
608 X Frais accessoires incorporés aux achats
609 X Rabais, remises et ristournes obtenus sur achats
6097 X Rabais, remises et ristournes obtenus sur achats de marchandises
611 X Sous-traitance générale
612 X Redevances de crédit-bail
613 X Locations
614 X Charges locatives et de copropriété
615 X Entretien et réparations
616 X Primes d'assurances
617 X Études et recherches
618 X Divers
621 X Personnel extérieur à l'entreprise
622 X Rémunérations d'intermédiaires et honoraires
6222 X Commissions et courtages sur ventes
6226 X Honoraires
623 X Publicité, publications, relations publiques
624 X Transports de biens et transports collectifs du personnel
625 X Déplacements, missions et réceptions
6251 X Voyages et déplacements
626 X Frais postaux et de télécommunications
627 X Services bancaires et assimilés
628 X Divers services extérieurs
631 X Impôts, taxes et versements assimilés sur rémunérations
633 X Impôts, taxes et versements assimilés sur rémunérations, autres organismes
635 X Autres impôts, taxes et versements assimilés
63511 X Contribution économique territoriale
637 X Autres impôts, taxes et versements assimilés, autres organismes
641 X Rémunérations du personnel
6414 X Indemnités et avantages divers
644 X Rémunération du travail de l'exploitant
645 X Cotisations de sécurité sociale et de prévoyance
646 X Cotisations sociales personnelles de l'exploitant
647 X Autres cotisations sociales
648 X Autres charges de personnel
651 X Redevances pour concessions, brevets, licences et logiciels
654 X Pertes sur créances irrécouvrables
656 X Pertes de change sur créances et dettes commerciales
657 X Valeurs comptables des immobilisations incorporelles et corporelles cédées
658 X Pénalités et autres charges
661 X Charges d'intérêts
665 X Escomptes accordés
666 X Pertes de change financières
667 X Charges sur cessions d'éléments financiers
668 X Autres charges financières
672 X Charges sur exercices antérieurs
678 X Autres charges exceptionnelles
681 X Dotations aux amortissements, dépréciations et provisions, charges d'exploitation
6811 X Dotations aux amortissements sur immobilisations
6815 X Dotations aux provisions d'exploitation
6817 X Dotations aux dépréciations des actifs circulants
686 X Dotations aux amortissements, dépréciations et provisions, charges financières
687 X Dotations aux amortissements, dépréciations et provisions, charges exceptionnelles
691 X Participation des salariés aux résultats
695 X Impôts sur les bénéfices
701 I Ventes de produits finis
704 I Travaux
705 I Études
706 I Prestations de services
707 I Ventes de marchandises
708 I Produits des activités annexes
7085 I Ports et frais accessoires facturés
709 I Rabais, remises et ristournes accordés
7097 I Rabais, remises et ristournes accordés sur ventes de marchandises
713 I Variation des stocks, en-cours de production et produits
721 I Production immobilisée incorporelle
722 I Production immobilisée corporelle
741 I Subventions d'exploitation
747 I Quote-part des subventions d'investissement virée au résultat de l'exercice
752 I Revenus des immeubles non affectés aux activités professionnelles
754 I Ristournes perçues des coopératives
756 I Gains de change sur créances et dettes commerciales
757 I Produits des cessions d'immobilisations incorporelles et corporelles
758 I Indemnités et autres produits
761 I Produits de participations
764 I Revenus des valeurs mobilières de placement
765 I Escomptes obtenus
766 I Gains de change financiers
768 I Autres produits financiers
772 I Produits sur exercices antérieurs
778 I Autres produits exceptionnels
781 I Reprises sur amortissements, dépréciations et provisions, produits d'exploitation
7817 I Reprises sur dépréciations des actifs circulants
786 I Reprises sur dépréciations et provisions, produits financiers
787 I Reprises sur dépréciations et provisions, produits exceptionnels
`;

const rate = (code: string, name: string, percent: TaxSeed['rate'], accounts: TaxSeed['accounts']): TaxSeed => ({
  ...{ code, name, rate: percent, surchargeRate: '0', kind: 'vat' },
  accounts: { ...accounts, intraEuOutput: '4452', intraEuInput: '445662' },
});

/** Code général des impôts, art. 278 to 281 octies. */
const TAXES: readonly TaxSeed[] = [
  { code: 'TVA0', name: 'Exonéré de TVA', rate: '0', surchargeRate: '0', kind: 'exempt', accounts: {} },
  rate('TVA2.1', 'TVA taux particulier 2,1 %', '2.1', { output: '445714', input: '445665' }),
  rate('TVA5.5', 'TVA taux réduit 5,5 %', '5.5', { output: '445713', input: '445664' }),
  rate('TVA10', 'TVA taux intermédiaire 10 %', '10', { output: '445712', input: '445663' }),
  rate('TVA20', 'TVA taux normal 20 %', '20', { output: '445711', input: '445661' }),
  {
    ...{ code: 'TVA20AL', name: 'TVA 20 %, autoliquidation', rate: '20', surchargeRate: '0', kind: 'reverse_charge' },
    accounts: { output: '445711', input: '445661' },
  },
];

export const FR_PCG: AccountChart = {
  code: 'fr-pcg',
  name: 'Plan comptable général',
  country: 'FR',
  language: 'fr',
  accounts: buildChart(HEADINGS, ACCOUNTS),
  roles: {
    receivable: '411',
    payable: '401',
    payableServices: '401',
    payableAssets: '404',
    payableAssetsLongTerm: '404',
    salesGoods: '707',
    salesServices: '706',
    salesReturns: '707',
    purchaseGoods: '607',
    purchaseServices: '628',
    purchaseReturns: '607',
    outputTax: '44571',
    inputTax: '44566',
    outputTaxPending: '44574',
    inputTaxPending: '445669',
    withholdingSuffered: '4487',
    withholdingMade: '4421',
    bank: '512',
    cash: '531',
    billsReceivable: '413',
    billsPayable: '403',
    customerAdvances: '4191',
    supplierAdvances: '4091',
    salesDiscounts: '665',
    purchaseDiscounts: '765',
    bankCharges: '627',
    writeOffLoss: '658',
    writeOffGain: '758',
    doubtfulReceivable: '416',
    debtImpairment: '491',
    debtImpairmentLoss: '6817',
    debtImpairmentReversal: '7817',
    badDebts: '654',
    exchangeLoss: '656',
    exchangeGain: '756',
    prepaidExpenses: '486',
    deferredIncome: '487',
    stock: '371',
    stockVariation: '6037',
    costVariance: '60379',
    purchasesPending: '408',
    salesPending: '418',
    taxAdjustmentGain: '758',
    taxAdjustmentLoss: '658',
    taxPayable: '44551',
    taxReceivable: '44567',
    customsPayable: '447',
    wages: '641',
    severance: '6414',
    travelExpenses: '6251',
    employerContributions: '645',
    socialSecurityPayable: '431',
    wagesPayable: '421',
    staffAdvances: '425',
    staffExpenses: '648',
    openingBalance: '471',
    yearResult: '120',
  },
  groups: accountGroups({
    customers: '411 413 416 418 419',
    suppliers: '401 403 404 405 408 409',
    receivables: '41',
    payables: '40',
    money: '511 512 517 519 53',
    outputTax: '44571 4452',
    inputTax: '44562 44566',
    vat: '445',
    revenue: '70',
    purchases: '601 602 603 607 608 609',
    subcontracting: '611',
    production: '713',
    staffCosts: '64',
    commissions: '6222',
  }),
  taxes: () => TAXES,
};
