/** Annual accounts of companies with the neutral chart: common headings, by the classes of its codes or else by the types of accounts. */
import { group, heading } from '../headings.ts';
import { form } from './form.ts';

const OTHER_ASSETS = heading('B.5', 'Otro activo corriente', 'Other current assets', '48 55 56');
const OTHER_EQUITY = heading('C.5', 'Otro patrimonio neto', 'Other equity', '13');
const OTHER_LIABILITIES = heading('E.5', 'Otro pasivo', 'Other liabilities', '438 48 55 56');
const OTHER_INCOME = heading('P.3', 'Otros ingresos', 'Other income', '74 75 77 79');
const OTHER_EXPENSES = heading('P.7', 'Otros gastos', 'Other expenses', '62 63 65 67 69');
const RESULT = heading('C.4', 'Resultado del ejercicio', 'Result of the year', '129');
const EARLIER_RESULTS = heading('C.3', 'Resultados de ejercicios anteriores', 'Results of earlier years', '120 121');

export const NEUTRAL_FORM = form({
  name: { es: 'Epígrafes habituales', en: 'Common headings' },
  typed: true,
  assets: group('ASSETS', 'TOTAL ACTIVO', 'TOTAL ASSETS', [
    group('A', 'Activo no corriente', 'Non-current assets', [
      heading('A.1', 'Inmovilizado intangible', 'Intangible assets', '20 280 290'),
      heading('A.2', 'Inmovilizado material', 'Tangible assets', '21 22 23 281 282 291 292'),
      heading('A.3', 'Otro activo no corriente', 'Other non-current assets', '24 25 26 28 29 474'),
    ]),
    group('B', 'Activo corriente', 'Current assets', [
      heading('B.1', 'Existencias', 'Stock', '3 407'),
      heading('B.2', 'Clientes', 'Customers', '43 490'),
      heading('B.3', 'Otros deudores', 'Other receivables', '44 46 47'),
      heading('B.4', 'Efectivo', 'Cash and banks', '57'),
      OTHER_ASSETS,
    ]),
  ]),
  intangible: 'A.1',
  equityAndLiabilities: group('LIABILITIES', 'TOTAL PATRIMONIO NETO Y PASIVO', 'TOTAL EQUITY AND LIABILITIES', [
    group('C', 'Patrimonio neto', 'Equity', [
      heading('C.1', 'Capital', 'Capital', '10'),
      heading('C.2', 'Reservas', 'Reserves', '11'),
      EARLIER_RESULTS,
      RESULT,
      OTHER_EQUITY,
    ]),
    heading('D', 'Pasivo no corriente', 'Non-current liabilities', '14 15 16 17 18'),
    group('E', 'Pasivo corriente', 'Current liabilities', [
      heading('E.1', 'Proveedores y acreedores', 'Suppliers and other creditors', '40 41'),
      heading('E.2', 'Deudas a corto plazo', 'Short-term debt', '50 51 52'),
      heading('E.3', 'Impuestos y Seguridad Social', 'Taxes and social security', '47'),
      heading('E.4', 'Personal', 'Staff', '46'),
      OTHER_LIABILITIES,
    ]),
  ]),
  result: RESULT,
  earlierResults: EARLIER_RESULTS,
  equity: { heading: 'C', capital: ['C.1'], partners: [], recognised: ['C.5'], paidTo: ['4751', '52', '55', '57'] },
  sections: [
    group('P', 'Resultado de explotación', 'Operating result', [
      heading('P.1', 'Ventas', 'Sales', '70'),
      heading('P.2', 'Variación de productos', 'Changes in stock of products', '71'),
      OTHER_INCOME,
      heading('P.4', 'Compras y variación de existencias', 'Purchases and changes in stock', '60 61'),
      heading('P.5', 'Personal', 'Staff costs', '64'),
      heading('P.6', 'Amortización', 'Depreciation', '68'),
      OTHER_EXPENSES,
    ]),
    group('F', 'Resultado financiero', 'Financial result', [
      heading('F.1', 'Ingresos financieros', 'Financial income', '76'),
      heading('F.2', 'Gastos financieros', 'Financial costs', '66'),
    ]),
    { ...heading('B', 'Resultado antes de impuestos', 'Result before tax'), adds: ['P', 'F'] },
    heading('T', 'Impuesto sobre beneficios', 'Income tax', '630'),
    { ...heading('R', 'Resultado del ejercicio', 'Result of the year'), adds: ['B', 'T'] },
  ],
  others: {
    asset: OTHER_ASSETS,
    liability: OTHER_LIABILITIES,
    equity: OTHER_EQUITY,
    income: OTHER_INCOME,
    expense: OTHER_EXPENSES,
  },
});
