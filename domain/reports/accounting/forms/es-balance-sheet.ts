/** The balance sheet of small companies: its headings and their accounts (PGC PYMES, RD 1515/2007, part three). */
import { group, type Heading, heading, optional, withSide } from '../headings.ts';

/** Accounts of groups 8 and 9, which the full PGC has, until they are closed to equity. */
const OF_EQUITY =
  '800 802 810 811 812 820 830 833 838 840 841 842 850 860 892 900 902 910 912 920 940 941 942 950 960 992';

/** Accounts that are assets with a debit balance, and liabilities with a credit balance. */
const EITHER = '550 551 552 5525 554';
const EITHER_GROUP = '5523 5524';

export const ASSETS: Heading = group('ACTIVO', 'TOTAL ACTIVO', 'TOTAL ASSETS', [
  group('A', 'A) ACTIVO NO CORRIENTE', 'A) NON-CURRENT ASSETS', [
    heading('A.I', 'I. Inmovilizado intangible', 'I. Intangible assets', '20 280 290'),
    heading('A.II', 'II. Inmovilizado material', 'II. Property, plant and equipment', '21 23 281 291'),
    heading('A.III', 'III. Inversiones inmobiliarias', 'III. Investment property', '22 282 292'),
    heading(
      'A.IV',
      'IV. Inversiones en empresas del grupo y asociadas a largo plazo',
      'IV. Long-term investments in group companies and associates',
      '2403 2404 2413 2414 2423 2424 2493 2494 2933 2934 2943 2944 2953 2954',
    ),
    heading(
      'A.V',
      'V. Inversiones financieras a largo plazo',
      'V. Long-term financial investments',
      '24 25 26 293 294 295 296 297 298',
    ),
    heading('A.VI', 'VI. Activos por impuesto diferido', 'VI. Deferred tax assets', '474'),
    heading('A.VII', 'VII. Deudores comerciales no corrientes', 'VII. Non-current trade receivables'),
  ]),
  group('B', 'B) ACTIVO CORRIENTE', 'B) CURRENT ASSETS', [
    // Only the full chart has what is held for sale (PGC, 580 to 589 and 599).
    optional(
      heading(
        'B.0',
        'Activos no corrientes mantenidos para la venta',
        'Non-current assets held for sale',
        '580 581 582 583 584 599',
      ),
    ),
    heading('B.I', 'I. Existencias', 'I. Inventories', '30 31 32 33 34 35 36 39 407'),
    group('B.II', 'II. Deudores comerciales y otras cuentas a cobrar', 'II. Trade and other receivables', [
      heading(
        'B.II.1',
        '1. Clientes por ventas y prestaciones de servicios',
        '1. Trade receivables',
        '430 431 432 433 434 435 436 437 490 493',
      ),
      heading('B.II.2', '2. Accionistas (socios) por desembolsos exigidos', '2. Called-up capital not paid', '5580'),
      heading('B.II.3', '3. Otros deudores', '3. Other receivables', '44 460 470 471 472 473 544'),
    ]),
    withSide(
      heading(
        'B.III',
        'III. Inversiones en empresas del grupo y asociadas a corto plazo',
        'III. Short-term investments in group companies and associates',
        '5303 5304 5313 5314 5323 5324 5333 5334 5343 5344 5353 5354 5393 5394 5933 5934 5943 5944 5953 5954',
      ),
      'debit',
      EITHER_GROUP,
    ),
    withSide(
      heading(
        'B.IV',
        'IV. Inversiones financieras a corto plazo',
        'IV. Short-term financial investments',
        '53 540 541 542 543 545 546 547 548 549 5590 565 566 593 594 595 596 597 598',
      ),
      'debit',
      EITHER,
    ),
    heading('B.V', 'V. Periodificaciones a corto plazo', 'V. Prepayments', '480 567'),
    heading('B.VI', 'VI. Efectivo y otros activos líquidos equivalentes', 'VI. Cash and cash equivalents', '57'),
  ]),
]);

/** The year's result: 129, and income and expense not closed yet. */
export const RESULT = heading('A-1.VII', 'VII. Resultado del ejercicio', 'VII. Result of the year', '129');
/** Includes results of earlier years that are not closed yet. */
export const EARLIER_RESULTS = heading(
  'A-1.V',
  'V. Resultados de ejercicios anteriores',
  'V. Results of earlier years',
  '120 121',
);

const OWN_FUNDS = group('A-1', 'A-1) Fondos propios', 'A-1) Own funds', [
  group('A-1.I', 'I. Capital', 'I. Capital', [
    heading('A-1.I.1', '1. Capital escriturado', '1. Registered capital', '100 101 102'),
    heading('A-1.I.2', '2. (Capital no exigido)', '2. (Uncalled capital)', '103 104'),
  ]),
  heading('A-1.II', 'II. Prima de emisión', 'II. Share premium', '110'),
  heading('A-1.III', 'III. Reservas', 'III. Reserves', '112 113 114 115 119'),
  heading(
    'A-1.IV',
    'IV. (Acciones y participaciones en patrimonio propias)',
    'IV. (Own shares and equity holdings)',
    '108 109',
  ),
  EARLIER_RESULTS,
  heading('A-1.VI', 'VI. Otras aportaciones de socios', 'VI. Other contributions of partners', '118'),
  RESULT,
  heading('A-1.VIII', 'VIII. (Dividendo a cuenta)', 'VIII. (Interim dividend)', '557'),
  optional(heading('A-1.IX', 'IX. Otros instrumentos de patrimonio neto', 'IX. Other equity instruments', '111')),
]);

export const EQUITY_AND_LIABILITIES: Heading = group(
  'PASIVO',
  'TOTAL PATRIMONIO NETO Y PASIVO',
  'TOTAL EQUITY AND LIABILITIES',
  [
    group('A', 'A) PATRIMONIO NETO', 'A) EQUITY', [
      OWN_FUNDS,
      heading(
        'A-2',
        'A-2) Ajustes en patrimonio neto',
        'A-2) Adjustments in equity',
        `133 134 135 136 137 ${OF_EQUITY}`,
      ),
      heading(
        'A-3',
        'A-3) Subvenciones, donaciones y legados recibidos',
        'A-3) Grants, donations and legacies received',
        '130 131 132',
      ),
    ]),
    group('B', 'B) PASIVO NO CORRIENTE', 'B) NON-CURRENT LIABILITIES', [
      heading('B.I', 'I. Provisiones a largo plazo', 'I. Long-term provisions', '14'),
      group('B.II', 'II. Deudas a largo plazo', 'II. Long-term debts', [
        heading('B.II.1', '1. Deudas con entidades de crédito', '1. Debts with credit institutions', '1605 170'),
        heading('B.II.2', '2. Acreedores por arrendamiento financiero', '2. Finance leases', '1625 174'),
        heading(
          'B.II.3',
          '3. Otras deudas a largo plazo',
          '3. Other long-term debts',
          '1615 1635 171 172 173 175 176 177 178 179 18',
        ),
      ]),
      heading(
        'B.III',
        'III. Deudas con empresas del grupo y asociadas a largo plazo',
        'III. Long-term debts with group companies and associates',
        '1603 1604 1613 1614 1623 1624 1633 1634',
      ),
      heading('B.IV', 'IV. Pasivos por impuesto diferido', 'IV. Deferred tax liabilities', '479'),
      heading('B.V', 'V. Periodificaciones a largo plazo', 'V. Long-term accruals', '181'),
      heading('B.VI', 'VI. Acreedores comerciales no corrientes', 'VI. Non-current trade payables'),
      heading(
        'B.VII',
        'VII. Deuda con características especiales a largo plazo',
        'VII. Long-term debt with special features',
        '15',
      ),
    ]),
    group('C', 'C) PASIVO CORRIENTE', 'C) CURRENT LIABILITIES', [
      optional(
        heading(
          'C.0',
          'Pasivos vinculados con activos no corrientes mantenidos para la venta',
          'Liabilities of non-current assets held for sale',
          '585 586 587 588 589',
        ),
      ),
      heading('C.I', 'I. Provisiones a corto plazo', 'I. Short-term provisions', '499 529'),
      group('C.II', 'II. Deudas a corto plazo', 'II. Short-term debts', [
        heading('C.II.1', '1. Deudas con entidades de crédito', '1. Debts with credit institutions', '5105 520 527'),
        heading('C.II.2', '2. Acreedores por arrendamiento financiero', '2. Finance leases', '5125 524'),
        withSide(
          heading(
            'C.II.3',
            '3. Otras deudas a corto plazo',
            '3. Other short-term debts',
            '1034 1044 190 192 194 500 501 505 506 509 51 521 522 523 525 526 528 555 5565 5566 5595 560 561',
          ),
          'credit',
          EITHER,
        ),
      ]),
      withSide(
        heading(
          'C.III',
          'III. Deudas con empresas del grupo y asociadas a corto plazo',
          'III. Short-term debts with group companies and associates',
          '5103 5104 5113 5114 5123 5124 5133 5134 5143 5144 5563 5564',
        ),
        'credit',
        EITHER_GROUP,
      ),
      group('C.IV', 'IV. Acreedores comerciales y otras cuentas a pagar', 'IV. Trade and other payables', [
        heading('C.IV.1', '1. Proveedores', '1. Suppliers', '400 401 403 404 405 406'),
        heading('C.IV.2', '2. Otros acreedores', '2. Other payables', '41 438 465 466 475 476 477'),
      ]),
      heading('C.V', 'V. Periodificaciones a corto plazo', 'V. Accruals', '485 568'),
      heading(
        'C.VI',
        'VI. Deuda con características especiales a corto plazo',
        'VI. Short-term debt with special features',
        '195 197 199 502 507',
      ),
    ]),
  ],
);
