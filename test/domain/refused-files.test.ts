import assert from 'node:assert/strict';
import { fileName } from '../../domain/file-names.ts';
import { REFUSED_ENDINGS, refusedByName } from '../../domain/refused-files.ts';

describe('names of files', () => {
  it('are refused by each ending that runs or leads elsewhere, however it is written', () => {
    assert.ok(REFUSED_ENDINGS.length > 100);
    assert.deepEqual(REFUSED_ENDINGS, [...new Set(REFUSED_ENDINGS)]);
    for (const ending of REFUSED_ENDINGS) {
      const spellings = [
        `a.${ending}`,
        `a.${ending.toUpperCase()}`,
        `invoice.pdf.${ending}`,
        `.${ending}`,
        `a.${ending} . .`,
        `a.${ending}::$DATA`,
        `a.txt:b.${ending}`,
        `folder/a.${ending}`,
        `C:\\folder\\a.${ending}`,
        `a.\u202e${ending}`,
        `a.${ending}\u0000`,
      ];
      for (const spelling of spellings) assert.notEqual(refusedByName(fileName(spelling)), undefined, spelling);
    }
  });

  it('tell programs from links', () => {
    for (const name of ['a.exe', 'a.BAT', 'a.ps1', 'a.vbs', 'a.iso', 'a.xll'])
      assert.equal(refusedByName(name), 'program', name);
    for (const name of [
      'a.url',
      'a.lnk',
      'a.scf',
      'a.library-ms',
      'a.search-ms',
      'a.webloc',
      'a.iqy',
      'a.rdp',
      'Desktop.INI ',
    ]) {
      assert.equal(refusedByName(name), 'link', name);
    }
  });

  it('are harmless otherwise', () => {
    for (const name of [
      'a.pdf',
      'exe',
      'lnk',
      'a.lnk.pdf',
      'a.lnks',
      'time 10:30.txt',
      'ini',
      'my desktop.ini.txt',
      'a.xlsx',
      '.pdf',
      'a.',
    ]) {
      assert.equal(refusedByName(name), undefined, name);
    }
  });
});
