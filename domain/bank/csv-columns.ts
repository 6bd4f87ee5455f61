/** Column titles in the tables of banks, in Spanish and English. */

export type ColumnName =
  | 'account'
  | 'date'
  | 'valueDate'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'balance'
  | 'currency'
  | 'text'
  | 'reference'
  | 'bankReference'
  | 'counterparty'
  | 'counterpartyIban'
  | 'endToEndId';

/** Without accents, case, blanks and punctuation. */
const TITLES: Readonly<Record<ColumnName, readonly string[]>> = {
  account: ['account', 'accountnumber', 'accountiban', 'cuenta', 'numerodecuenta', 'ncuenta', 'iban', 'cuentaiban'],
  date: [
    ...['date', 'bookingdate', 'bookeddate', 'transactiondate', 'postingdate', 'operationdate', 'entrydate'],
    ...['fecha', 'fechaoperacion', 'fechadeoperacion', 'foperacion', 'fechaoper', 'fechacontable', 'fcontable'],
    ...['fechamovimiento', 'fechadelmovimiento', 'fechaapunte', 'foper'],
  ],
  valueDate: ['valuedate', 'value', 'valuta', 'fechavalor', 'fechadevalor', 'fvalor', 'fecvalor'],
  amount: [
    'amount',
    'transactionamount',
    'importe',
    'importeeur',
    'importeoperacion',
    'cantidad',
    'monto',
    'amounteur',
  ],
  debit: [
    'debit',
    'debits',
    'debitamount',
    'withdrawal',
    'withdrawals',
    'paidout',
    'moneyout',
    'cargo',
    'cargos',
    'debe',
    'gasto',
    'gastos',
    'adeudo',
  ],
  credit: [
    'credit',
    'credits',
    'creditamount',
    'deposit',
    'deposits',
    'paidin',
    'moneyin',
    'abono',
    'abonos',
    'haber',
    'ingreso',
    'ingresos',
  ],
  balance: [
    'balance',
    'runningbalance',
    'balanceafter',
    'balanceeur',
    'saldo',
    'saldoeur',
    'saldocontable',
    'saldoposterior',
    'saldofinal',
  ],
  currency: ['currency', 'currencycode', 'ccy', 'divisa', 'moneda', 'divisacuenta'],
  text: [
    'text',
    'description',
    'details',
    'narrative',
    'memo',
    'particulars',
    'remittanceinformation',
    'concepto',
    'descripcion',
    'detalle',
    'movimiento',
    'masdatos',
    'observaciones',
    'conceptoampliado',
  ],
  reference: [
    'reference',
    'paymentreference',
    'customerreference',
    'ref',
    'referencia',
    'referencia1',
    'refcliente',
    'documento',
    'numerodocumento',
    'ndocumento',
  ],
  bankReference: [
    'bankreference',
    'bankref',
    'transactionid',
    'transactionreference',
    'id',
    'referenciabanco',
    'referenciabancaria',
    'refbanco',
    'idmovimiento',
    'idtransaccion',
    'numerodeoperacion',
    'noperacion',
    'nmovimiento',
    'numeromovimiento',
  ],
  counterparty: [
    'counterparty',
    'counterpartyname',
    'name',
    'payee',
    'payer',
    'beneficiary',
    'partner',
    'contraparte',
    'nombrecontraparte',
    'beneficiario',
    'ordenante',
    'ordenantebeneficiario',
    'beneficiarioordenante',
    'nombre',
    'tercero',
  ],
  counterpartyIban: [
    'counterpartyiban',
    'counterpartyaccount',
    'payeeiban',
    'ibancontraparte',
    'cuentacontraparte',
    'ibanbeneficiario',
    'ibanordenante',
    'cuentabeneficiario',
  ],
  endToEndId: ['endtoendid', 'endtoendreference', 'e2eid', 'endtoend', 'referenciaendtoend', 'idextremoaextremo'],
};

const BY_TITLE: ReadonlyMap<string, ColumnName> = new Map(
  Object.entries(TITLES).flatMap(([name, titles]) => titles.map((title) => [title, name as ColumnName])),
);

/** The position of each column; `repeated` is the first title with the same meaning as another. */
export function columnsOf(cells: readonly unknown[]): {
  columns: ReadonlyMap<ColumnName, number>;
  repeated: string | undefined;
} {
  const columns = new Map<ColumnName, number>();
  let repeated: string | undefined;
  for (const [at, cell] of cells.entries()) {
    const name = typeof cell === 'string' ? BY_TITLE.get(normal(cell)) : undefined;
    if (name === undefined) continue;
    if (!columns.has(name)) columns.set(name, at);
    // Two texts are no contradiction: the first one says it.
    else if (name !== 'text') repeated ??= String(cell).slice(0, 60);
  }
  return { columns, repeated };
}

function normal(title: string): string {
  return title
    .slice(0, 100)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
