import assert from 'node:assert/strict';
import { invitationText } from '../../../../domain/access/invitations/invitation-text.ts';
import { addressKey } from '../../../../domain/messages/mail/addresses.ts';
import { plainName, shortName } from '../../../../domain/messages/mail/names.ts';

const HOSTILE = [
  'Win at https://evil.example.com/x now',
  'www.evil.com',
  'evil\uFF0Ecom',
  'evil\u3002com',
  'mailto:a@evil.com',
  'ev\u200Bil.com',
  'xn--80ak6aa92e.com//path',
  `${'Buy '.repeat(100)}evil.com`,
];
/** Texts of which mail programs make links. */
const LINK = /:\/\/|\/\/|@|[\p{L}\p{N}-][.\u3002\uFF0E\uFF61]\p{L}{2,}/u;

describe('names in mails', () => {
  it('contain nothing that becomes a link, and stay short', () => {
    for (const name of HOSTILE) {
      const plain = plainName(name);
      assert.doesNotMatch(plain, LINK, name);
      assert.ok([...plain].length <= 61, plain);
    }
    for (const name of ['Frutas García, S.L.', 'Talleres J. Pérez e Hijos', "O'Neill & Co. 24"])
      assert.equal(plainName(name), name);
  });

  it('stay on one line, without characters that are not seen or turn the direction of writing', () => {
    assert.equal(shortName('A\r\nBcc: x\u202Egnp.exe\u200B\u2028B'), 'A Bcc: xgnp.exe B');
  });

  it('are quoted in invitations, whose subject and text hold no other link than their own', () => {
    for (const companyName of HOSTILE) {
      for (const language of ['en', 'es'] as const) {
        const details = { companyName, invitedBy: companyName, link: 'OURS', token: 'inv_x', until: '1', language };
        const { subject, text } = invitationText(details);
        assert.doesNotMatch(`${subject}\n${text}`, LINK);
        assert.match(subject, /[“«].*[”»]$/);
        assert.ok(subject.length < 90, subject);
      }
    }
  });

  it('of one mailbox are one address, however they are spelled', () => {
    const spellings = ['Ana.Ruiz+1@gmail.com', 'anaruiz@GMAIL.com', 'a.n.a.ruiz+shop+2@gmail.com'];
    assert.deepEqual([...new Set(spellings.map(addressKey))], ['anaruiz@gmail.com']);
    assert.deepEqual(['+x@a.es', 'a.b+c@X.es'].map(addressKey), ['+x@a.es', 'a.b@x.es']);
  });
});
