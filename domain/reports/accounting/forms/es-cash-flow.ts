/** The cash flow statement of the PGC (RD 1514/2007, part three): its headings, and which of them has the flow of each account. */
import { group, heading } from '../headings.ts';
import { bySign, type CashFlowForm, flow, noncash, sides } from './cash-flow-form.ts';

const ASSETS = (code: string) => [
  heading(`${code}.a`, 'a) Empresas del grupo y asociadas', 'a) Group companies and associates'),
  heading(`${code}.b`, 'b) Inmovilizado intangible', 'b) Intangible assets'),
  heading(`${code}.c`, 'c) Inmovilizado material', 'c) Property, plant and equipment'),
  heading(`${code}.d`, 'd) Inversiones inmobiliarias', 'd) Investment property'),
  heading(`${code}.e`, 'e) Otros activos financieros', 'e) Other financial assets'),
  heading(`${code}.f`, 'f) Activos no corrientes mantenidos para la venta', 'f) Non-current assets held for sale'),
];

const DEBTS = (code: string) => [
  heading(`${code}.1`, '1. Obligaciones y otros valores negociables', '1. Bonds and other securities'),
  heading(`${code}.2`, '2. Deudas con entidades de crédito', '2. Debts with credit institutions'),
  heading(`${code}.3`, '3. Deudas con empresas del grupo y asociadas', '3. Debts with group companies and associates'),
  heading(`${code}.4`, '4. Deudas con características especiales', '4. Debts with special features'),
  heading(`${code}.5`, '5. Otras deudas', '5. Other debts'),
];

const OPERATING = group(
  'A',
  'A) ACTIVIDADES DE EXPLOTACIÓN (1 + 2 + 3 + 4)',
  'A) OPERATING ACTIVITIES (1 + 2 + 3 + 4)',
  [
    heading('1', '1. Resultado del ejercicio antes de impuestos', '1. Result of the year before tax'),
    group('2', '2. Ajustes del resultado', '2. Adjustments of the result', [
      heading('2.a', 'a) Amortización del inmovilizado (+)', 'a) Depreciation and amortisation (+)'),
      heading('2.b', 'b) Correcciones valorativas por deterioro (+/−)', 'b) Impairment (+/−)'),
      heading('2.c', 'c) Variación de provisiones (+/−)', 'c) Changes in provisions (+/−)'),
      heading('2.d', 'd) Imputación de subvenciones (−)', 'd) Grants released (−)'),
      heading('2.e', 'e) Bajas y enajenaciones del inmovilizado (+/−)', 'e) Disposals of fixed assets (+/−)'),
      heading('2.f', 'f) Bajas de instrumentos financieros (+/−)', 'f) Disposals of financial instruments (+/−)'),
      heading('2.g', 'g) Ingresos financieros (−)', 'g) Financial income (−)'),
      heading('2.h', 'h) Gastos financieros (+)', 'h) Financial expenses (+)'),
      heading('2.i', 'i) Diferencias de cambio (+/−)', 'i) Exchange differences (+/−)'),
      heading('2.j', 'j) Valor razonable de instrumentos financieros (+/−)', 'j) Fair value of instruments (+/−)'),
    ]),
    group('3', '3. Cambios en el capital corriente', '3. Changes in working capital', [
      heading('3.a', 'a) Existencias (+/−)', 'a) Inventories (+/−)'),
      heading('3.b', 'b) Deudores y otras cuentas a cobrar (+/−)', 'b) Trade and other receivables (+/−)'),
      heading('3.c', 'c) Otros activos corrientes (+/−)', 'c) Other current assets (+/−)'),
      heading('3.d', 'd) Acreedores y otras cuentas a pagar (+/−)', 'd) Trade and other payables (+/−)'),
      heading('3.e', 'e) Otros pasivos corrientes (+/−)', 'e) Other current liabilities (+/−)'),
      heading(
        '3.f',
        'f) Otros activos y pasivos no corrientes (+/−)',
        'f) Other non-current assets and liabilities (+/−)',
      ),
    ]),
    group('4', '4. Otros flujos de las actividades de explotación', '4. Other flows of operating activities', [
      heading('4.a', 'a) Pagos de intereses (−)', 'a) Interest paid (−)'),
      heading('4.b', 'b) Cobros de dividendos (+)', 'b) Dividends received (+)'),
      heading('4.c', 'c) Cobros de intereses (+)', 'c) Interest received (+)'),
      heading('4.d', 'd) Cobros (pagos) por impuesto sobre beneficios (+/−)', 'd) Income tax received (paid) (+/−)'),
      heading('4.e', 'e) Otros pagos (cobros) (−/+)', 'e) Other payments (receipts) (−/+)'),
    ]),
  ],
);

const INVESTING = group('B', 'B) ACTIVIDADES DE INVERSIÓN (6 + 7)', 'B) INVESTING ACTIVITIES (6 + 7)', [
  group('6', '6. Pagos por inversiones (−)', '6. Payments for investments (−)', ASSETS('6')),
  group('7', '7. Cobros por desinversiones (+)', '7. Receipts from disposals (+)', ASSETS('7')),
]);

const FINANCING = group('C', 'C) ACTIVIDADES DE FINANCIACIÓN (9 + 10 + 11)', 'C) FINANCING ACTIVITIES (9 + 10 + 11)', [
  group('9', '9. Cobros y pagos por instrumentos de patrimonio', '9. Receipts and payments for equity instruments', [
    heading('9.a', 'a) Emisión de instrumentos de patrimonio (+)', 'a) Equity instruments issued (+)'),
    heading('9.b', 'b) Amortización de instrumentos de patrimonio (−)', 'b) Equity instruments redeemed (−)'),
    heading('9.c', 'c) Adquisición de instrumentos propios (−)', 'c) Own instruments acquired (−)'),
    heading('9.d', 'd) Enajenación de instrumentos propios (+)', 'd) Own instruments disposed of (+)'),
    heading(
      '9.e',
      'e) Subvenciones, donaciones y legados recibidos (+)',
      'e) Grants, donations and legacies received (+)',
    ),
  ]),
  group('10', '10. Cobros y pagos por pasivos financieros', '10. Receipts and payments for financial liabilities', [
    group('10.a', 'a) Emisión (+)', 'a) Issued (+)', DEBTS('10.a')),
    group('10.b', 'b) Devolución y amortización (−)', 'b) Repaid (−)', DEBTS('10.b')),
  ]),
  heading('11', '11. Pagos por dividendos y otros instrumentos (−)', '11. Dividends and other instruments paid (−)'),
]);

const EXCHANGE = heading(
  'D',
  'D) EFECTO DE LAS VARIACIONES DE LOS TIPOS DE CAMBIO',
  'D) EFFECT OF CHANGES IN EXCHANGE RATES',
);

export const SPANISH_CASH_FLOW: CashFlowForm = {
  sections: [
    OPERATING,
    INVESTING,
    FINANCING,
    EXCHANGE,
    {
      ...heading(
        'E',
        'E) AUMENTO/DISMINUCIÓN NETA DEL EFECTIVO (A + B + C + D)',
        'E) NET INCREASE OR DECREASE OF CASH (A + B + C + D)',
      ),
      adds: ['A', 'B', 'C', 'D'],
    },
  ],
  cash: ['57'],
  result: '1',
  others: '4.e',
  investmentTax: '6.c',
  flows: [
    // The result: what has no cash, and where the cash of its accounts is.
    noncash('2.a', '7.b', '680'),
    noncash('2.a', '7.c', '681'),
    noncash('2.a', '7.d', '682'),
    noncash('2.b', '7.b', '690 790'),
    noncash('2.b', '7.c', '691 791'),
    noncash('2.b', '7.d', '692 792'),
    noncash('2.b', '3.a', '693 793'),
    noncash('2.b', '3.b', '694 794'),
    noncash('2.b', '7.e', '696 697 698 699 796 797 798 799'),
    noncash('2.c', '3.e', '695 7954'),
    noncash('2.c', '3.f', '795'),
    noncash('2.d', '9.e', '746'),
    noncash('2.e', '7.b', '670 770'),
    noncash('2.e', '7.c', '671 771'),
    noncash('2.e', '7.d', '672 772'),
    noncash('2.f', '7.a', '673 773'),
    noncash('2.f', '7.e', '666 667 675 766 775'),
    noncash('2.g', '4.b', '760'),
    noncash('2.g', '4.c', '761 762 767 769'),
    noncash('2.h', '4.a', '660 661 662 664 665 669'),
    noncash('2.i', 'D', '668 768'),
    noncash('2.j', '7.e', '663 763'),
    flow('4.d', '137 4709 473 474 4752 479 630 633 638'),
    // Working capital.
    flow('3.a', '3 407'),
    flow('3.b', '43 44 460 470 471 472 490 493 544'),
    flow('3.c', '480 567'),
    flow('3.d', '40 41 438 465 466 475 476 477 555'),
    flow('3.e', '485 499 568'),
    flow('3.f', '14 181 529'),
    flow('4.a', '527 528'),
    flow('4.b', '545'),
    flow('4.c', '546 547'),
    // Debits are paid for, credits are sold; assets under construction become others without cash.
    sides('6.a', '7.a', '2403 2404 2413 2414 2423 2424 53'),
    sides('6.b', '7.b', '20'),
    sides('6.c', '7.c', '21'),
    sides('6.d', '7.d', '22'),
    sides('6.e', '7.e', '24 25 26 540 541 542 548 549 565 566'),
    sides('6.f', '7.f', '58'),
    flow('6.c', '173 23 523'),
    flow('7.a', '2493 2494 2933 2934 2943 2944 2953 2954'),
    flow('7.b', '280 290'),
    flow('7.c', '253 281 291 543'),
    flow('7.d', '282 292'),
    flow('7.e', '133 134 135 136 249 259 293 294 295 296 297 298 539 559 59 8 9'),
    // Equity. What is distributed stands on several accounts until it is paid.
    sides('9.b', '9.a', '100 101 102 110 111'),
    flow('9.a', '103 104 118 190 192 194 558'),
    sides('9.c', '9.d', '108 109'),
    flow('9.e', '130 131 132 4708'),
    flow('11', '112 113 114 115 119 120 121 129 525 526 557'),
    // Long-term debts become short-term ones without cash, so that each kind has one sum.
    bySign('10.a.1', '10.b.1', '177 178 179 500 501 505 506 509'),
    bySign('10.a.2', '10.b.2', '1605 170 5105 520'),
    bySign('10.a.3', '10.b.3', '1603 1604 1613 1614 1623 1624 1633 1634 51 5523 5524'),
    bySign('10.a.4', '10.b.4', '15 195 197 199 502 507'),
    bySign('10.a.5', '10.b.5', '16 171 172 174 175 176 180 185 189 521 522 524 55 56'),
  ],
};
