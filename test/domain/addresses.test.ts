import assert from 'node:assert/strict';
import { addressGroup, clientAddress, isLoopback, type Proxies, proxyTest } from '../../domain/addresses.ts';

describe('addresses of clients', () => {
  const from = (proxies: Proxies, peer: string, forwarded: string) =>
    clientAddress(peer, forwarded, proxyTest(proxies));

  it('count from the right, as far as there are proxies', () => {
    const forwarded = '198.51.100.9, 203.0.113.7, 10.0.0.2';
    assert.equal(from(0, '10.0.0.1', forwarded), '10.0.0.1');
    assert.equal(from(1, '10.0.0.1', forwarded), '10.0.0.2');
    assert.equal(from(2, '10.0.0.1', forwarded), '203.0.113.7');
    assert.equal(from(9, '10.0.0.1', forwarded), '198.51.100.9');
    assert.equal(from(2, '10.0.0.1', ''), '10.0.0.1');
  });

  it('count up to the first that is in no network of proxies', () => {
    const networks = ['10.0.0.0/8', '2001:db8::/32'];
    assert.equal(from(networks, '::ffff:10.0.0.1', '198.51.100.9, 203.0.113.7, 10.0.0.2'), '203.0.113.7');
    assert.equal(from(networks, '2001:db8::1', '198.51.100.9,10.9.9.9'), '198.51.100.9');
    // The header of a client that is no proxy is ignored.
    assert.equal(from(networks, '192.0.2.1', '198.51.100.9'), '192.0.2.1');
    assert.equal(from(networks, '', '198.51.100.9'), '');
  });

  it('are found behind proxies of one machine', () => {
    assert.equal(
      from(['127.0.0.1/32', '::1/128'], '127.0.0.1', '198.51.100.9, 203.0.113.7, ::1, 127.0.0.1'),
      '203.0.113.7',
    );
    assert.equal(from(2, '127.0.0.1', '203.0.113.7, 127.0.0.1'), '203.0.113.7');
    assert.equal(from(2, '127.0.0.1', '127.0.0.1, 127.0.0.1'), '127.0.0.1');
  });

  it('never are what a header cannot know, or what is no address', () => {
    for (const said of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '255.255.255.255']) {
      assert.equal(from(1, '10.0.0.1', said), '10.0.0.1', said);
      assert.equal(from(['10.0.0.0/8'], '10.0.0.1', `203.0.113.7, ${said}`), '10.0.0.1', said);
    }
    for (const said of [
      'unknown',
      '_hidden',
      '1',
      '0x7f.1',
      '010.0.0.1',
      '203.0.113',
      '203.0.113.7;',
      '203.0.113.256',
    ]) {
      assert.equal(from(1, '10.0.0.1', said), '10.0.0.1', said);
    }
  });

  it('have one spelling', () => {
    const spellings = ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '[2001:db8::1]', '[2001:db8::1]:443', '2001:db8::1%eth0'];
    for (const said of spellings) assert.equal(from(1, '10.0.0.1', said), '2001:db8::1', said);
    for (const said of ['203.0.113.7', '203.0.113.7:4711', ' ::ffff:203.0.113.7 ', '::ffff:cb00:7107']) {
      assert.equal(from(1, '10.0.0.1', said), '203.0.113.7', said);
    }
  });

  it('count as one within a network of IPv6', () => {
    assert.equal(addressGroup('2001:db8:1:2:aaaa::1'), addressGroup('2001:db8:1:2:ffff:1:2:3'));
    assert.notEqual(addressGroup('2001:db8:1:2::1'), addressGroup('2001:db8:1:3::1'));
    assert.deepEqual(['203.0.113.7', '::ffff:203.0.113.7'].map(addressGroup), ['203.0.113.7', '203.0.113.7']);
    assert.notEqual(addressGroup('203.0.113.7'), addressGroup('203.0.113.8'));
  });

  it('know those of this machine', () => {
    for (const own of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(own), own);
    for (const other of ['', '10.0.0.1', '::', '128.0.0.1', '127.0.0.1.example']) assert.ok(!isLoopback(other), other);
  });
});
