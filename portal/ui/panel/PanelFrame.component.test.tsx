import { useLocation, useRouter } from '@tanstack/react-router'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { useMemo } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { ApiError } from '#portal/app/apiError.ts'
import { type PanelKey, panelIn, panelOfPlace, usePanel } from '#portal/app/panel.ts'
import { show } from '#testkit/component/show.tsx'
import { PlaceLink } from '../value/PlaceLink.tsx'
import { PanelContext } from './PanelContext.ts'
import { PanelFrame } from './PanelFrame.tsx'
import { usePanelFocus } from './usePanelFocus.ts'

afterEach(cleanup)

const idOf = (n: number) => `01990000-0000-7000-8000-00000000000${n}`
const names = ['Lobby', 'Canteen', 'Hall']
const placeOf = (n: number) => ({ to: '/devices/$posId', params: { posId: idOf(n) } })

function Open({ panel, close }: { panel: PanelKey; close: () => void }) {
  usePanelFocus(panel)
  const value = useMemo(() => ({ key: panel, close }), [panel, close])
  const name = names[Number(panel.id.at(-1))]
  return (
    <PanelContext value={value}>
      <PanelFrame title={name} error={name ? undefined : new ApiError('MachineNotFound', 404)}>
        <input aria-label="Note" />
      </PanelFrame>
    </PanelContext>
  )
}

/** A screen that names three machines, with its panel, and the address. */
function Screen() {
  const { panel, close } = usePanel()
  const { history } = useRouter()
  return (
    <>
      <main id="main" tabIndex={-1}>
        {names.map((name, n) => (
          <PlaceLink key={name} place={placeOf(n)}>
            {name}
          </PlaceLink>
        ))}
      </main>
      <PlaceLink place={placeOf(9)}>Gone</PlaceLink>
      <output>{useLocation({ select: ({ href }) => href })}</output>
      <button type="button" onClick={() => history.back()}>
        Back
      </button>
      {panel && <Open panel={panel} close={close} />}
    </>
  )
}

const address = () => decodeURIComponent(screen.getByRole('status').textContent ?? '')
const link = (name: string) => screen.getByRole('link', { name })
const panel = (name: string) => screen.findByRole('dialog', { name })

describe('a machine’s name', () => {
  test('opens its panel by a plain click, which the address names and which has the focus', async () => {
    const user = await show(<Screen />, ['panel', 'errors'])
    await user.click(link('Canteen'))
    await waitFor(async () => expect(document.activeElement).toBe(await panel('Canteen')))
    expect(address()).toBe(`/?panel=machine:${idOf(1)}`)
  })

  test('opens its page by Enter', async () => {
    const user = await show(<Screen />, ['panel', 'errors'])
    link('Canteen').focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe(`/devices/${idOf(1)}`))
  })
})

test('j and k show the next and the previous record of the screen, and stop at its ends', async () => {
  const user = await show(<Screen />, ['panel', 'errors'])
  await user.click(link('Lobby'))
  await panel('Lobby')
  await user.keyboard('k')
  expect(address()).toBe(`/?panel=machine:${idOf(0)}`)
  await user.keyboard('j')
  await panel('Canteen')
  await user.keyboard('j')
  await panel('Hall')
  await user.keyboard('j')
  expect(address()).toBe(`/?panel=machine:${idOf(2)}`)
  await user.keyboard('k')
  await panel('Canteen')
  // The steps are one entry of the history.
  await user.click(screen.getByRole('button', { name: 'Back' }))
  await waitFor(() => expect(address()).toBe('/'))
})

test('keys that are typed are text', async () => {
  const user = await show(<Screen />, ['panel', 'errors'])
  await user.click(link('Lobby'))
  await panel('Lobby')
  await user.type(screen.getByLabelText('Note'), 'jk')
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('jk')
  expect(address()).toBe(`/?panel=machine:${idOf(0)}`)
})

test('Esc closes a panel, and the focus returns to the name of its record', async () => {
  const user = await show(<Screen />, ['panel', 'errors'])
  await user.click(link('Lobby'))
  await panel('Lobby')
  await user.keyboard('j')
  await panel('Canteen')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(address()).toBe('/'))
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(link('Canteen')))
})

test('Enter in a panel opens the page of its record', async () => {
  const user = await show(<Screen />, ['panel', 'errors'])
  await user.click(link('Hall'))
  await panel('Hall')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe(`/devices/${idOf(2)}`))
})

test('a record that does not exist says so inside the panel', async () => {
  const user = await show(<Screen />, ['panel', 'errors'])
  await user.click(link('Gone'))
  const gone = await panel('Not available')
  expect(gone.textContent).toContain('It may have been deleted, or you don’t have access to it.')
})

describe('an address', () => {
  const id = idOf(1)
  test('names a panel by its kind and id, and alarms and transactions also by their own names', () => {
    expect(panelIn({ panel: `machine:${id}` })).toEqual({ kind: 'machine', id })
    expect(panelIn({ panel: `alarm:${id}.${id}` })).toEqual({ kind: 'alarm', id: `${id}.${id}` })
    expect(panelIn({ alarm: `${id}.${id}` })).toEqual({ kind: 'alarm', id: `${id}.${id}` })
    expect(panelIn({ transaction: id })).toEqual({ kind: 'transaction', id })
  })

  test.each([`machine:${id}.${id}`, `alarm:${id}`, `user:${id}`, 'machine:1', 'machine', 'toString:x'])(
    'without a readable panel opens none: %s',
    (panel) => expect(panelIn({ panel })).toBeUndefined(),
  )

  test('of a record’s page has its panel, and of a tab or a list none', () => {
    expect(panelOfPlace(placeOf(1))).toEqual({ kind: 'machine', id })
    expect(panelOfPlace({ to: '/devices/$posId/audits', params: { posId: id } })).toBeUndefined()
    expect(panelOfPlace({ to: '/devices/list', search: { states: ['blocked'] } })).toBeUndefined()
  })
})
