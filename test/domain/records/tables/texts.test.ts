import assert from 'node:assert/strict';
import { protectText, unprotectText } from '../../../../domain/records/tables/texts.ts';

describe('formulas in tables', () => {
  it('texts that a spreadsheet would compute get an apostrophe', () => {
    const formulas = [
      '=1+1',
      '=HYPERLINK("http://example.test")',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      "+cmd|' /C calc'!A0",
      "-2+3+cmd|' /C calc'!A0",
      '+1+2',
      '-A1',
      '- a note',
      '−x',
      "'=1",
    ];
    for (const text of formulas) {
      assert.equal(protectText(text), `'${text}`);
      assert.equal(unprotectText(`'${text}`), text);
    }
  });

  it('numbers, phone numbers and all else stay', () => {
    const harmless = ['-5', '+1.234,56', '-1e5', '+12 %', '+34 912 345 678', '+1 (555) 123-4567', '-', "O'Neill"];
    for (const text of [...harmless, "'quoted'", 'a=b', '', ' =1', '1+1', "'"]) {
      assert.equal(protectText(text), text);
      assert.equal(unprotectText(text), text);
    }
  });
});
