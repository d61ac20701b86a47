import { expect, test } from 'vitest'
import { isAway, isTransient } from './transient.ts'

const coded = (code: string, type: new (text: string) => Error = Error) =>
  Object.assign(new type('It did not work'), { code })

/** The verdict on an error: the row is wrong, the database is unavailable, or unknown. */
const table: [code: string, what: string, verdict: 'row' | 'away' | 'unknown'][] = [
  ['22003', 'a number out of range', 'row'],
  ['22021', 'an invalid character', 'row'],
  ['22P02', 'an invalid number', 'row'],
  ['22008', 'an invalid date', 'row'],
  ['23502', 'a missing value', 'row'],
  ['23503', 'a missing referenced row', 'row'],
  ['23505', 'a duplicate row', 'row'],
  ['23514', 'a violated check', 'row'],
  ['44000', 'a row outside its view', 'row'],
  ['54000', 'a row that is too large', 'row'],
  ['EMFILE', 'no descriptor left', 'away'],
  ['ENFILE', 'no descriptor left in the system', 'away'],
  ['ENOMEM', 'no memory left', 'away'],
  ['ENOSPC', 'no disk left', 'away'],
  ['ECONNREFUSED', 'no listening server', 'away'],
  ['ECONNRESET', 'the connection was reset', 'away'],
  ['EPIPE', 'the connection was reset while writing', 'away'],
  ['ETIMEDOUT', 'no response', 'away'],
  ['ENOTFOUND', 'an unknown host name', 'away'],
  ['EAI_AGAIN', 'a failed DNS lookup', 'away'],
  ['EADDRNOTAVAIL', 'no port left', 'away'],
  ['08006', 'the connection broke', 'away'],
  ['28P01', 'the password is being changed', 'away'],
  ['3D000', 'the database is being restored', 'away'],
  ['25006', 'a standby', 'away'],
  ['40001', 'a serialization failure', 'away'],
  ['40P01', 'a deadlock', 'away'],
  ['53100', 'no disk left for the database', 'away'],
  ['53200', 'no memory left for the database', 'away'],
  ['53300', 'too many connections', 'away'],
  ['55P03', 'a lock held elsewhere', 'away'],
  ['57P01', 'a shutdown', 'away'],
  ['57P03', 'a startup', 'away'],
  ['58030', 'a disk error', 'away'],
  ['0A000', 'a plan from before a migration', 'unknown'],
  ['21000', 'a row written twice by one of our statements', 'unknown'],
  ['42501', 'a missing grant', 'unknown'],
  ['42601', 'an invalid statement', 'unknown'],
  ['42703', 'a missing column', 'unknown'],
  ['42P01', 'a missing table', 'unknown'],
  ['P0001', 'an exception of a function', 'unknown'],
  ['XX000', 'a bug of the database', 'unknown'],
  ['ZZ999', 'an unknown code', 'unknown'],
]

test.each(table)('%s (%s): only an error of the row is final', (code, _what, verdict) => {
  expect([isTransient(coded(code)), isAway(coded(code))]).toEqual([verdict !== 'row', verdict === 'away'])
})

test('an error of the client library without a code means that the database is unavailable', () => {
  for (const text of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect']) {
    expect([isTransient(new Error(text)), isAway(new Error(text))]).toEqual([true, true])
  }
})

test('an error in our code blames neither a row nor the database', () => {
  const faults = [
    new TypeError('x is undefined'),
    new RangeError('too deep'),
    coded('ERR_INVALID_ARG_TYPE', TypeError),
    'text',
    null,
  ]
  for (const fault of faults) expect([isTransient(fault), isAway(fault)]).toEqual([true, false])
})

test('an address refused at each of its IP addresses is unavailable', () => {
  const refused = Object.assign(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), {
    code: 'ECONNREFUSED',
  })
  expect(isAway(refused)).toBe(true)
})
