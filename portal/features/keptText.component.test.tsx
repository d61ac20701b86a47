import { cleanup, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { PriceRow } from '#contract/catalogue/price.ts'
import type { ClaimDetails } from '#contract/key-portal/claim.ts'
import type { VisitPlan } from '#contract/stock/visit.ts'
import ViewDialog from '#portal/ui/list/views/ViewDialog.tsx'
import { show } from '#testkit/component/show.tsx'
import { BatchRefundDialog } from './cashless/refund/BatchRefundDialog.tsx'
import EditPrice from './catalogue/price/EditPrice.tsx'
import { RefundDialog } from './key-portal/claim/RefundDialog.tsx'
import { VisitForm } from './stock/visit/VisitForm.tsx'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const id = '01990000-0000-7000-8000-000000000003'

/** Types into a form, and once the last text is stored opens the form again, as after a new sign-in in the same tab. */
async function afterSignIn(
  form: ReactElement,
  words: readonly string[],
  last: readonly string[],
  type: (user: UserEvent) => Promise<void>,
) {
  await type(await show(form, words))
  const stored = () => JSON.stringify({ ...sessionStorage })
  await waitFor(() => expect(last.filter((text) => !stored().includes(text))).toEqual([]))
  const storage = { ...sessionStorage }
  cleanup()
  for (const [key, text] of Object.entries(storage)) sessionStorage.setItem(key, text)
  await show(form, words)
}
const valueOf = async (label: string | RegExp) => ((await screen.findByLabelText(label)) as HTMLInputElement).value

test('the name of a view', async () => {
  const look = { state: {}, rules: {}, columns: [], headers: [] } as unknown as Parameters<typeof ViewDialog>[0]['look']
  await afterSignIn(
    <ViewDialog tableId="machines" look={look} close={() => {}} />,
    ['list', 'errors'],
    ['Offline in the north'],
    async (user) => user.type(await screen.findByLabelText(/^Name/), 'Offline in the north'),
  )
  expect(await valueOf(/^Name/)).toBe('Offline in the north')
})

test('the amount and the answer of a claim’s refund', async () => {
  const claim = {
    id,
    merchantId: id,
    number: 7,
    currency: 'EUR',
    amount: 120,
    maximumRefund: 1000,
    timeZone: 'Europe/Rome',
    log: [],
    medias: [{ id, serial: 'K-1', isBlocked: false }],
  } as unknown as ClaimDetails
  await afterSignIn(
    <RefundDialog claim={claim} transactionId={undefined} close={() => {}} />,
    ['claim'],
    ['250', 'Sorry'],
    async (user) => {
      const amount = await screen.findByLabelText(/^Amount/)
      await user.clear(amount)
      await user.type(amount, '2.50')
      await user.type(screen.getByLabelText('Message to the customer'), 'Sorry')
    },
  )
  expect(await valueOf(/^Amount/)).toMatch(/2[.,]50/)
  expect(await valueOf('Message to the customer')).toBe('Sorry')
})

test('the media of a batch of refunds', async () => {
  await afterSignIn(<BatchRefundDialog serials={[]} close={() => {}} />, ['refund'], ['K-1'], async (user) =>
    user.type(await screen.findByLabelText(/serial/i), 'K-1'),
  )
  expect(await valueOf(/serial/i)).toBe('K-1')
})

test('a target price', async () => {
  const row = { selection: '7', product: 'Water', currency: 'EUR', prices: [] } as unknown as PriceRow
  await afterSignIn(
    <EditPrice params={{ merchantId: id, posId: id }} row={row} table={1} close={() => {}} />,
    ['price', 'vocabulary'],
    ['140'],
    async (user) => user.type(await screen.findByLabelText(/target/i), '1.40'),
  )
  expect(await valueOf(/target/i)).toMatch(/1[.,]40/)
})

test('the note and the picture of a visit', async () => {
  // jsdom draws no pictures.
  vi.stubGlobal('createImageBitmap', async () => ({ width: 10, height: 10, close: () => {} }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ fillRect() {}, drawImage() {} } as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['a picture'])))
  const plan = {
    posId: id,
    posName: 'Station',
    posSerial: 'A1',
    merchantId: id,
    currency: 'EUR',
    timeZone: 'Europe/Rome',
    cashInBox: null,
    cashBoxCapacity: null,
    stop: null,
    selections: [],
    countedBy: null,
  } as unknown as VisitPlan
  await afterSignIn(
    <VisitForm plan={plan} clockOffset={0} storedVisit={undefined} />,
    ['visit', 'errors'],
    ['Door sticks', btoa('a picture')],
    async (user) => {
      await user.type(await screen.findByLabelText('Note and picture'), 'Door sticks')
      const input = document.querySelector<HTMLInputElement>('input[type=file]')
      await user.upload(input as HTMLInputElement, new File(['x'], 'a.jpg', { type: 'image/jpeg' }))
      await screen.findByRole('img')
    },
  )
  expect(await valueOf('Note and picture')).toBe('Door sticks')
  expect((await screen.findByRole('img')).getAttribute('src')).toBe(`data:image/jpeg;base64,${btoa('a picture')}`)
})
