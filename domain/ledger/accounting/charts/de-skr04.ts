/** The German standard chart SKR 04, ordered by the balance sheet (HGB §§ 266, 275), as far as a small company needs it. */
import { type AccountChart, accountGroups, buildChart, type TaxSeed } from './chart.ts';

const HEADINGS = `
0 A Anlagevermögen
01 A Immaterielle Vermögensgegenstände
02 A Grundstücke und Bauten
04 A Technische Anlagen und Maschinen
05 A Andere Anlagen
06 A Betriebs- und Geschäftsausstattung
07 A Geleistete Anzahlungen und Anlagen im Bau
08 A Finanzanlagen
1 A Umlaufvermögen
10 A Roh-, Hilfs- und Betriebsstoffe, unfertige Erzeugnisse
11 A Fertige Erzeugnisse und Waren, geleistete Anzahlungen
12 A Forderungen aus Lieferungen und Leistungen
13 A Sonstige Vermögensgegenstände
14 A Vorsteuer und Steuerforderungen
15 A Wertpapiere
16 A Kasse
17 A Bank
18 A Bank
19 A Rechnungsabgrenzung und latente Steuern
2 E Eigenkapital
20 E Kapital der Gesellschafter
21 E Privatkonten
29 E Gezeichnetes Kapital, Rücklagen, Vorträge
3 L Fremdkapital
30 L Rückstellungen
31 L Verbindlichkeiten gegenüber Kreditinstituten
32 L Erhaltene Anzahlungen
33 L Verbindlichkeiten aus Lieferungen und Leistungen
35 L Sonstige Verbindlichkeiten
37 L Verbindlichkeiten aus Steuern und sozialer Sicherheit
38 L Umsatzsteuer
39 L Rechnungsabgrenzung
4 I Betriebliche Erträge
41 I Steuerfreie Umsätze
42 I Erlöse
43 I Erlöse zum ermäßigten Satz und im Ausland
44 I Erlöse zum allgemeinen Satz
45 I Sonstige Umsätze
47 I Erlösschmälerungen
48 I Bestandsveränderungen und sonstige Erträge
49 I Andere betriebliche Erträge
5 X Materialaufwand
51 X Roh-, Hilfs- und Betriebsstoffe
52 X Waren
53 X Waren zum ermäßigten Satz
54 X Waren zum allgemeinen Satz
57 X Nachlässe, Skonti und Boni
58 X Bezugsnebenkosten und Bestandsveränderungen
59 X Bezogene Leistungen
6 X Betriebliche Aufwendungen
60 X Löhne und Gehälter
61 X Soziale Abgaben
62 X Abschreibungen
63 X Sonstige Aufwendungen und Raumkosten
64 X Versicherungen, Beiträge und Instandhaltung
65 X Fahrzeugkosten
66 X Werbe- und Reisekosten
67 X Kosten der Warenabgabe
68 X Verschiedene Kosten
69 X Verluste und periodenfremde Aufwendungen
7 X Weitere Erträge und Aufwendungen
70 I Erträge aus Beteiligungen und Wertpapieren
71 I Zinsen und ähnliche Erträge
72 X Abschreibungen auf Finanzanlagen
73 X Zinsen und ähnliche Aufwendungen
76 X Steuern
9 E Vortragskonten
90 E Saldenvorträge
`;

const ACCOUNTS = `
0110 A Konzessionen
0120 A Gewerbliche Schutzrechte
0135 A EDV-Software
0150 A Geschäfts- oder Firmenwert
0170 A Geleistete Anzahlungen auf immaterielle Vermögensgegenstände
0215 A Unbebaute Grundstücke
0235 A Grundstückswerte eigener bebauter Grundstücke
0240 A Geschäftsbauten
0250 A Fabrikbauten
0420 A Technische Anlagen
0440 A Maschinen
0510 A Andere Anlagen
0520 A Pkw
0540 A Lkw
0620 A Werkzeuge
0635 A Geschäftsausstattung
0640 A Ladeneinrichtung
0650 A Büroeinrichtung
0670 A Geringwertige Wirtschaftsgüter
0690 A Sonstige Betriebs- und Geschäftsausstattung
0700 A Geleistete Anzahlungen und Anlagen im Bau
0800 A Anteile an verbundenen Unternehmen
0820 A Beteiligungen
0900 A Wertpapiere des Anlagevermögens
0930 A Sonstige Ausleihungen
1000 A Roh-, Hilfs- und Betriebsstoffe
1050 A Unfertige Erzeugnisse
1100 A Fertige Erzeugnisse und Waren
1110 A Fertige Erzeugnisse
1140 A Waren
1180 A Geleistete Anzahlungen auf Vorräte
1200 A Forderungen aus Lieferungen und Leistungen
1230 A Wechsel aus Lieferungen und Leistungen
1240 A Zweifelhafte Forderungen
1246 A Einzelwertberichtigungen auf Forderungen
1248 A Pauschalwertberichtigung auf Forderungen
1300 A Sonstige Vermögensgegenstände
1340 A Forderungen gegen Personal aus Lohn- und Gehaltsabrechnung
1350 A Kautionen
1360 A Darlehen
1370 A Durchlaufende Posten
1400 A Abziehbare Vorsteuer
1401 A Abziehbare Vorsteuer 7 %
1402 A Abziehbare Vorsteuer aus innergemeinschaftlichem Erwerb
1404 A Abziehbare Vorsteuer aus innergemeinschaftlichem Erwerb 19 %
1406 A Abziehbare Vorsteuer 19 %
1407 A Abziehbare Vorsteuer nach § 13b UStG 19 %
1420 A Umsatzsteuerforderungen
1421 A Umsatzsteuerforderungen laufendes Jahr
1433 A Entstandene Einfuhrumsatzsteuer
1434 A In Folgeperiode abziehbare Vorsteuer
1435 A Forderungen aus Gewerbesteuerüberzahlungen
1450 A Körperschaftsteuerrückforderung
1460 A Geldtransit
1510 A Sonstige Wertpapiere
1600 A Kasse
1700 A Bank (Postbank)
1800 A Bank
1810 A Bank 1
1820 A Bank 2
1900 A Aktive Rechnungsabgrenzung
1950 A Aktive latente Steuern
2000 E Festkapital
2100 E Privatentnahmen allgemein
2180 E Privateinlagen
2900 E Gezeichnetes Kapital
2910 E Ausstehende Einlagen auf das gezeichnete Kapital, nicht eingefordert
2920 E Kapitalrücklage
2930 E Gesetzliche Rücklage
2960 E Andere Gewinnrücklagen
2970 E Gewinnvortrag vor Verwendung
2978 E Verlustvortrag vor Verwendung
3000 L Rückstellungen für Pensionen und ähnliche Verpflichtungen
3020 L Steuerrückstellungen
3035 L Gewerbesteuerrückstellung
3040 L Körperschaftsteuerrückstellung
3070 L Sonstige Rückstellungen
3090 L Rückstellungen für Gewährleistungen
3095 L Rückstellungen für Abschluss- und Prüfungskosten
3150 L Verbindlichkeiten gegenüber Kreditinstituten
3151 L Verbindlichkeiten gegenüber Kreditinstituten, bis 1 Jahr
3160 L Verbindlichkeiten gegenüber Kreditinstituten, 1 bis 5 Jahre
3170 L Verbindlichkeiten gegenüber Kreditinstituten, über 5 Jahre
3250 L Erhaltene Anzahlungen auf Bestellungen
3300 L Verbindlichkeiten aus Lieferungen und Leistungen
3335 L Verbindlichkeiten aus Lieferungen und Leistungen, bis 1 Jahr
3337 L Verbindlichkeiten aus Lieferungen und Leistungen, 1 bis 5 Jahre
3350 L Wechselverbindlichkeiten
3500 L Sonstige Verbindlichkeiten
3510 L Verbindlichkeiten gegenüber Gesellschaftern
3560 L Darlehen
3700 L Verbindlichkeiten aus Steuern und Abgaben
3720 L Verbindlichkeiten aus Lohn und Gehalt
3730 L Verbindlichkeiten aus Lohn- und Kirchensteuer
3740 L Verbindlichkeiten im Rahmen der sozialen Sicherheit
3770 L Verbindlichkeiten aus Vermögensbildung
3790 L Lohn- und Gehaltsverrechnung
3800 L Umsatzsteuer
3801 L Umsatzsteuer 7 %
3802 L Umsatzsteuer aus innergemeinschaftlichem Erwerb
3804 L Umsatzsteuer aus innergemeinschaftlichem Erwerb 19 %
3806 L Umsatzsteuer 19 %
3810 L Umsatzsteuer nicht fällig
3820 L Umsatzsteuer-Vorauszahlungen
3837 L Umsatzsteuer nach § 13b UStG 19 %
3840 L Umsatzsteuer laufendes Jahr
3841 L Umsatzsteuer Vorjahr
3850 L Einfuhrumsatzsteuer aufgeschoben
3900 L Passive Rechnungsabgrenzung
4100 I Steuerfreie Umsätze § 4 Nr. 8 ff. UStG
4120 I Steuerfreie Umsätze § 4 Nr. 1a UStG (Ausfuhr)
4125 I Steuerfreie innergemeinschaftliche Lieferungen
4200 I Erlöse
4300 I Erlöse 7 % USt
4336 I Erlöse aus im anderen EU-Land steuerpflichtigen sonstigen Leistungen
4337 I Erlöse aus Leistungen nach § 13b UStG
4338 I Erlöse aus im Drittland steuerbaren Leistungen
4400 I Erlöse 19 % USt
4500 I Provisionsumsätze
4700 I Erlösschmälerungen
4730 I Gewährte Skonti
4769 I Gewährte Boni
4800 I Bestandsveränderungen fertige Erzeugnisse
4810 I Bestandsveränderungen unfertige Erzeugnisse
4820 I Andere aktivierte Eigenleistungen
4830 I Sonstige betriebliche Erträge
4840 I Erträge aus der Währungsumrechnung
4845 I Erlöse aus Verkäufen von Sachanlagevermögen, Buchgewinn
4855 I Anlagenabgänge Sachanlagen, Restbuchwert bei Buchgewinn
4923 I Erträge aus der Herabsetzung der Einzelwertberichtigung auf Forderungen
4925 I Erträge aus abgeschriebenen Forderungen
4930 I Erträge aus der Auflösung von Rückstellungen
4960 I Periodenfremde Erträge
4970 I Versicherungsentschädigungen und Schadenersatzleistungen
5100 X Einkauf Roh-, Hilfs- und Betriebsstoffe
5200 X Wareneingang
5300 X Wareneingang 7 % Vorsteuer
5400 X Wareneingang 19 % Vorsteuer
5425 X Innergemeinschaftlicher Erwerb 19 %
5700 X Nachlässe
5730 X Erhaltene Skonti
5740 X Erhaltene Boni
5800 X Bezugsnebenkosten
5840 X Zölle und Einfuhrabgaben
5880 X Bestandsveränderungen Roh-, Hilfs- und Betriebsstoffe sowie bezogene Waren
5889 X Abweichungen von Standardkosten
5900 X Fremdleistungen
6000 X Löhne und Gehälter
6010 X Löhne
6020 X Gehälter
6027 X Geschäftsführergehälter
6030 X Aushilfslöhne
6060 X Freiwillige soziale Aufwendungen, lohnsteuerpflichtig
6110 X Gesetzliche soziale Aufwendungen
6120 X Beiträge zur Berufsgenossenschaft
6130 X Freiwillige soziale Aufwendungen, lohnsteuerfrei
6140 X Aufwendungen für Altersversorgung
6200 X Abschreibungen auf immaterielle Vermögensgegenstände
6220 X Abschreibungen auf Sachanlagen
6222 X Abschreibungen auf Kfz
6260 X Sofortabschreibungen geringwertiger Wirtschaftsgüter
6300 X Sonstige betriebliche Aufwendungen
6303 X Fremdleistungen und Fremdarbeiten
6310 X Miete, unbewegliche Wirtschaftsgüter
6320 X Heizung
6325 X Gas, Strom, Wasser
6330 X Reinigung
6335 X Instandhaltung betrieblicher Räume
6400 X Versicherungen
6420 X Beiträge
6430 X Sonstige Abgaben
6470 X Reparaturen und Instandhaltung von Betriebs- und Geschäftsausstattung
6495 X Wartungskosten für Hard- und Software
6520 X Kfz-Versicherungen
6530 X Laufende Kfz-Betriebskosten
6540 X Kfz-Reparaturen
6560 X Mietleasing Kfz
6600 X Werbekosten
6610 X Geschenke abzugsfähig
6640 X Bewirtungskosten
6644 X Nicht abzugsfähige Bewirtungskosten
6650 X Reisekosten Arbeitnehmer
6670 X Reisekosten Unternehmer
6710 X Verpackungsmaterial
6740 X Ausgangsfrachten
6770 X Verkaufsprovisionen
6800 X Porto
6805 X Telefon
6810 X Telefax und Internetkosten
6815 X Bürobedarf
6820 X Zeitschriften, Bücher
6821 X Fortbildungskosten
6825 X Rechts- und Beratungskosten
6827 X Abschluss- und Prüfungskosten
6830 X Buchführungskosten
6835 X Mieten für Einrichtungen, bewegliche Wirtschaftsgüter
6837 X Aufwendungen für die zeitlich befristete Überlassung von Rechten
6845 X Werkzeuge und Kleingeräte
6850 X Sonstiger Betriebsbedarf
6855 X Nebenkosten des Geldverkehrs
6860 X Nicht abziehbare Vorsteuer
6880 X Aufwendungen aus der Währungsumrechnung
6885 X Erlöse aus Verkäufen von Sachanlagevermögen, Buchverlust
6895 X Anlagenabgänge Sachanlagen, Restbuchwert bei Buchverlust
6920 X Einstellung in die Pauschalwertberichtigung auf Forderungen
6923 X Einstellung in die Einzelwertberichtigung auf Forderungen
6930 X Forderungsverluste
6960 X Periodenfremde Aufwendungen
7000 I Erträge aus Beteiligungen
7010 I Erträge aus anderen Wertpapieren und Ausleihungen
7100 I Sonstige Zinsen und ähnliche Erträge
7200 X Abschreibungen auf Finanzanlagen
7300 X Zinsen und ähnliche Aufwendungen
7310 X Zinsaufwendungen für kurzfristige Verbindlichkeiten
7320 X Zinsaufwendungen für langfristige Verbindlichkeiten
7600 X Körperschaftsteuer
7608 X Solidaritätszuschlag
7610 X Gewerbesteuer
7650 X Sonstige Betriebssteuern
7680 X Grundsteuer
7685 X Kfz-Steuer
9000 E Saldenvorträge, Sachkonten
9008 E Saldenvorträge, Debitoren
9009 E Saldenvorträge, Kreditoren
`;

/** UStG, § 12. */
const TAXES: readonly TaxSeed[] = [
  { code: 'UST0', name: 'Umsatzsteuerfrei', rate: '0', surchargeRate: '0', kind: 'exempt', accounts: {} },
  {
    ...{ code: 'UST7', name: 'Umsatzsteuer 7 %', rate: '7', surchargeRate: '0', kind: 'vat' },
    accounts: { output: '3801', input: '1401', intraEuOutput: '3802', intraEuInput: '1402' },
  },
  {
    ...{ code: 'UST19', name: 'Umsatzsteuer 19 %', rate: '19', surchargeRate: '0', kind: 'vat' },
    accounts: { output: '3806', input: '1406', intraEuOutput: '3804', intraEuInput: '1404' },
  },
  {
    ...{ code: 'UST19RC', name: 'Steuerschuldnerschaft des Leistungsempfängers 19 %', rate: '19' },
    ...{ surchargeRate: '0', kind: 'reverse_charge', accounts: { output: '3837', input: '1407' } },
  },
];

export const DE_SKR04: AccountChart = {
  code: 'de-skr04',
  name: 'Standardkontenrahmen SKR 04',
  country: 'DE',
  language: 'de',
  accounts: buildChart(HEADINGS, ACCOUNTS),
  roles: {
    receivable: '1200',
    payable: '3300',
    payableServices: '3300',
    payableAssets: '3335',
    payableAssetsLongTerm: '3337',
    salesGoods: '4200',
    salesServices: '4200',
    salesReturns: '4700',
    purchaseGoods: '5200',
    purchaseServices: '6300',
    purchaseReturns: '5700',
    outputTax: '3800',
    inputTax: '1400',
    outputTaxPending: '3810',
    inputTaxPending: '1434',
    withholdingSuffered: '1300',
    withholdingMade: '3730',
    bank: '1800',
    cash: '1600',
    billsReceivable: '1230',
    billsPayable: '3350',
    customerAdvances: '3250',
    supplierAdvances: '1180',
    salesDiscounts: '4730',
    purchaseDiscounts: '5730',
    bankCharges: '6855',
    writeOffLoss: '6300',
    writeOffGain: '4830',
    doubtfulReceivable: '1240',
    debtImpairment: '1246',
    debtImpairmentLoss: '6923',
    debtImpairmentReversal: '4923',
    badDebts: '6930',
    exchangeLoss: '6880',
    exchangeGain: '4840',
    prepaidExpenses: '1900',
    deferredIncome: '3900',
    stock: '1140',
    stockVariation: '5880',
    costVariance: '5889',
    purchasesPending: '3070',
    salesPending: '1300',
    taxAdjustmentGain: '4830',
    taxAdjustmentLoss: '6860',
    taxPayable: '3840',
    taxReceivable: '1421',
    customsPayable: '3850',
    wages: '6020',
    severance: '6000',
    travelExpenses: '6650',
    employerContributions: '6110',
    socialSecurityPayable: '3740',
    wagesPayable: '3720',
    staffAdvances: '1340',
    staffExpenses: '6130',
    openingBalance: '9000',
    yearResult: '2970',
  },
  groups: accountGroups({
    customers: '12',
    suppliers: '33',
    receivables: '12',
    payables: '33',
    money: '16 17 18',
    outputTax: '3800 3801 3802 3804 3806 3837',
    inputTax: '140 1433',
    vat: '140 142 1433 38',
    revenue: '41 42 43 44 45 47',
    purchases: '51 52 53 54 57 58 59',
    subcontracting: '59',
    production: '480 481',
    staffCosts: '60 61',
    commissions: '6770',
  }),
  taxes: () => TAXES,
};
