import { expect, test } from 'vitest'
import { isAway, isTransient } from './transient.ts'

const coded = (code: string, type: new (text: string) => Error = Error) =>
  Object.assign(new type('It did not work'), { code })

/** The verdict on an error: the row is wrong, the database is unavailable, or unknown. */
const table: [code: string, what: string, verdict: 'row' | 'away' | 'unknown'][] = [
  ['22003', 'a number out of range', 'row'],
  ['22021', 'a character that is none', 'row'],
  ['22P02', 'a text that is no number', 'row'],
  ['22008', 'a day that does not exist', 'row'],
  ['23502', 'nothing where something must be', 'row'],
  ['23503', 'a row that is not there', 'row'],
  ['23505', 'a row that is there already', 'row'],
  ['23514', 'a broken check', 'row'],
  ['44000', 'a row outside its view', 'row'],
  ['54000', 'a row that is too large', 'row'],
  ['EMFILE', 'no descriptor left', 'away'],
  ['ENFILE', 'no descriptor left in the system', 'away'],
  ['ENOMEM', 'no memory left', 'away'],
  ['ENOSPC', 'no disk left', 'away'],
  ['ECONNREFUSED', 'nobody listens', 'away'],
  ['ECONNRESET', 'the connection was cut', 'away'],
  ['EPIPE', 'the connection was cut while writing', 'away'],
  ['ETIMEDOUT', 'nobody answers', 'away'],
  ['ENOTFOUND', 'the name is not known', 'away'],
  ['EAI_AGAIN', 'names cannot be looked up', 'away'],
  ['EADDRNOTAVAIL', 'no port left', 'away'],
  ['08006', 'the connection broke', 'away'],
  ['28P01', 'the password is being changed', 'away'],
  ['3D000', 'the database is being restored', 'away'],
  ['25006', 'a standby', 'away'],
  ['40001', 'two at once', 'away'],
  ['40P01', 'a deadlock', 'away'],
  ['53100', 'no disk left for the database', 'away'],
  ['53200', 'no memory left for the database', 'away'],
  ['53300', 'too many connections', 'away'],
  ['55P03', 'a lock that somebody holds', 'away'],
  ['57P01', 'a shutdown', 'away'],
  ['57P03', 'a start', 'away'],
  ['58030', 'a disk that cannot be read', 'away'],
  ['0A000', 'a plan from before a migration', 'unknown'],
  ['21000', 'one row written twice by one statement of ours', 'unknown'],
  ['42501', 'a grant that we forgot', 'unknown'],
  ['42601', 'a statement that is none', 'unknown'],
  ['42703', 'a column that is not there yet', 'unknown'],
  ['42P01', 'a table that is not there yet', 'unknown'],
  ['P0001', 'an exception of a function', 'unknown'],
  ['XX000', 'a bug of the database', 'unknown'],
  ['ZZ999', 'a code that nobody knows', 'unknown'],
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
