import assert from 'node:assert/strict';
import { countryCode } from '../../demo/countries.ts';
import { isService, readRetailDay } from '../../demo/retail-file.ts';

const HEADER = 'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country';
const day = (...lines: string[]) => readRetailDay([HEADER, ...lines].join('\n'));

describe("a wholesaler's day as a file", () => {
  it('is read with its irregularities: quoted names, numbers with .0, codes in both cases, no customer', () => {
    const { date, lines, invoices, total } = day(
      '536381,82567,"AIRLINE LOUNGE,METAL SIGN",2,2010-12-01 09:41:00,2.1,15311.0,United Kingdom',
      '536381,85123a,"RECORD FRAME 7"" SINGLE SIZE ",3,2010-12-01 09:41:00,0.42,15311.0,United Kingdom',
      '536382,85123A,,1,2010-12-01 09:42:00,2.55,,United Kingdom',
    );
    assert.deepEqual({ date, lines, total }, { date: '2010-12-01', lines: 3, total: '8.01' });
    assert.deepEqual(
      invoices.map(({ number, customer }) => [number, customer]),
      [
        ['536381', '15311'],
        ['536382', null],
      ],
    );
    assert.deepEqual(invoices[0]?.lines, [
      { code: '82567', description: 'AIRLINE LOUNGE,METAL SIGN', quantity: 2, price: 2.1, amount: '4.2' },
      { code: '85123A', description: 'RECORD FRAME 7" SINGLE SIZE', quantity: 3, price: 0.42, amount: '1.26' },
    ]);
  });

  it('distinguishes sales, cancellations and stock corrections', () => {
    const { lines, invoices, total, cancellations, cancelled, corrections } = day(
      '1,A,goods,10,2010-12-01,1.5,7.0,France',
      '1,B,a present,1,2010-12-01,0.0,7.0,France',
      'C2,A,goods,-4,2010-12-01,1.5,7.0,France',
      'C2,D,Discount,-1,2010-12-01,27.5,7.0,France',
      '3,A,damages,-20,2010-12-01,0.0,,United Kingdom',
      '4,E,,3,2010-12-01,0.0,,United Kingdom',
      '5,M,Manual,1,2010-12-01,0.0,,United Kingdom',
    );
    assert.deepEqual({ lines, total, cancelled }, { lines: 7, total: '15', cancelled: '-33.5' });
    const quantities = (list: typeof invoices) =>
      list.map(({ number, lines: own }) => [number, ...own.map((line) => line.quantity)]);
    // Free goods for a customer count as sold, and so does a service: it is in no stock.
    assert.deepEqual(quantities(invoices), [
      ['1', 10, 1],
      ['5', 1],
    ]);
    assert.deepEqual(quantities(cancellations), [['C2', -4, -1]]);
    assert.deepEqual(corrections, [
      { number: '3', code: 'A', quantity: -20 },
      { number: '4', code: 'E', quantity: 3 },
    ]);
  });

  it('is summed exactly, unlike binary numbers', () => {
    assert.equal(day(...Array.from({ length: 10 }, (_, n) => `${n},A,x,3,2010-12-01,0.1,,France`)).total, '3');
  });

  const refused: readonly [string, RegExp][] = [
    ['1,A,x,many,2010-12-01,1.5,7.0,France', /line 2: the quantity is "many"/],
    ['1,A,x,1,2010-12-01,1e3,7.0,France', /line 2: the price is "1e3"/],
    ['1,A,x,1,yesterday,1.5,7.0,France', /line 2: the date is "yesterday"/],
    ['1,A,x,0,2010-12-01,1.5,7.0,France', /line 2: the quantity is 0/],
    ['C1,A,x,2,2010-12-01,1.5,7.0,France', /line 2: a cancellation of 2/],
    ['1,A,x,-2,2010-12-01,1.5,7.0,France', /line 2: a negative quantity that is neither/],
    ['1,A,x,-2,2010-12-01,0,7.0,France', /line 2: a negative quantity that is neither/],
    ['1,POST,x,-2,2010-12-01,0,,France', /line 2: a negative quantity that is neither/],
  ];
  for (const [line, message] of refused) {
    it(`is refused with the line: ${line}`, () => assert.throws(() => day(line), message));
  }

  it('is refused without lines, without a column, or with two days', () => {
    assert.throws(() => day(), /no lines/);
    assert.throws(() => readRetailDay('InvoiceNo,StockCode\n1,A'), /column Description, Quantity/);
    const line = (date: string) => `1,A,x,1,${date},1.5,7.0,France`;
    assert.throws(() => day(line('2010-12-01'), line('2010-12-02')), /more than one day/);
  });

  it('recognizes lines without goods, and countries by their names', () => {
    assert.deepEqual(['POST', 'BANK CHARGES', '85123A'].map(isService), [true, true, false]);
    assert.deepEqual(['United Kingdom', 'EIRE', 'Germany', ' france ', 'Unspecified'].map(countryCode), [
      'GB',
      'IE',
      'DE',
      'FR',
      undefined,
    ]);
  });
});
