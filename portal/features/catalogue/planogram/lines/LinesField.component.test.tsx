import { fireEvent, screen, within } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { NewPlanogram } from '#contract/catalogue/planogram.ts'
import { productChoices } from '#contract/catalogue/product-choice.ts'
import { RecordFields } from '#portal/ui/form/record/RecordFields.tsx'
import type { RecordValues } from '#portal/ui/form/record/recordValues.ts'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { show } from '#testkit/component/show.tsx'
import { lines as linesField } from './LinesField.tsx'
import type { LineDraft } from './lineDraft.ts'

const merchantId = '01990000-0000-7000-8000-000000000001'
const [cola, tea, otherTea] = ['a', 'b', 'c'].map((end) => `01990000-0000-7000-8000-00000000000${end}`) as [
  string,
  string,
  string,
]
const items = [
  { id: cola, code: 'C1', name: 'Cola' },
  { id: tea, code: 'T1', name: 'Tea' },
  { id: otherTea, code: 'T2', name: 'Tea' },
]

/** The server answers with three products, two with the same name. */
vi.stubGlobal('fetch', async (address: string) => {
  const path = productChoices.listProductChoices.path.replace('{merchantId}', merchantId)
  const answer = String(address).includes(path) ? { items, total: items.length, capped: false } : []
  return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
})

const line = (selection: string): LineDraft => ({
  selection,
  productId: null,
  capacity: 10,
  warningLevel: 2,
  refillValue: 10,
  prices: { 1: 150 },
})

async function anEditor(lines: LineDraft[] = [line('11'), line('12')]) {
  const latest: { values: RecordValues } = { values: {} }
  function Form() {
    const form = useSchemaForm<RecordValues>(NewPlanogram, { name: 'Hall', planogramType: 'B', lines })
    const values = form.getValues()
    useEffect(() => {
      latest.values = values
    }, [values])
    return (
      <RecordFields
        form={form}
        schema={NewPlanogram}
        cards={{ lines: { lines: linesField } }}
        words="planogram"
        merchantId={merchantId}
      />
    )
  }
  const user = await show(<Form />, ['planogram', 'vocabulary', 'editing'])
  const grid = await screen.findByRole('grid')
  const cell = (row: number, column: number) =>
    within(within(grid).getAllByRole('row')[row + 1] as HTMLElement).getAllByRole('gridcell')[column] as HTMLElement
  const paste = (text: string) => {
    grid.focus()
    const event = new Event('paste', { bubbles: true, cancelable: true })
    Object.assign(event, { clipboardData: { getData: () => text } })
    fireEvent(document, event)
  }
  const drafts = () => latest.values.lines as LineDraft[]
  return { user, cell, paste, drafts, button: (name: string) => screen.getByRole('button', { name }) }
}

test('rows of a spreadsheet are pasted at once with products by code, and undone at once', async () => {
  const { user, cell, paste, drafts, button } = await anEditor()
  await user.click(cell(0, 0))
  // Products load after the grid is shown.
  await vi.waitFor(() => {
    paste('21\tc1\t12\t3\t12\t1,20\n22\tT2 · Tea\t8\t2\t8\t0,90\n23\t\t6\t1\t6\t')
    expect(drafts()[0]?.productId).toBe(cola)
  })
  expect(drafts()).toEqual([
    { selection: '21', productId: cola, capacity: 12, warningLevel: 3, refillValue: 12, prices: { 1: 120 } },
    { selection: '22', productId: otherTea, capacity: 8, warningLevel: 2, refillValue: 8, prices: { 1: 90 } },
    { selection: '23', productId: null, capacity: 6, warningLevel: 1, refillValue: 6, prices: {} },
  ])
  while (drafts().length > 2) await user.click(button('Undo'))
  expect(drafts()).toEqual([line('11'), line('12')])
})

test('invalid text stays in its cell with its reason, and a name of two products is invalid', async () => {
  const { user, cell, paste, drafts, button } = await anEditor()
  await user.click(cell(0, 0))
  paste('11\tTea\tten\t2\t10\t1,234\n11\tCola\t3\t4\t3\t-1')
  expect(drafts()[0]).toMatchObject({ productId: 'Tea', capacity: 'ten', prices: { 1: '1,234' } })
  expect(cell(0, 2).textContent).toBe('ten')
  const faulty = [0, 1].map((row) =>
    [0, 1, 2, 3, 4, 5].filter((at) => cell(row, at).getAttribute('aria-invalid') === 'true'),
  )
  expect(faulty[0]).toEqual([1, 2, 5])
  expect(faulty[1]).toEqual(expect.arrayContaining([0, 3, 5]))
  await user.click(button('6 cells have errors. Show the first'))
  expect(screen.getByText('No product has the code or name “Tea”')).toBeTruthy()
})

test('10,000 pasted rows are refused with a message, and nothing changes', async () => {
  const { user, cell, paste, drafts } = await anEditor()
  await user.click(cell(0, 0))
  paste(Array.from({ length: 10_000 }, (_, at) => `${at + 1}\tC1`).join('\n'))
  expect(await screen.findByText(/at most 500 selections.*10\.000.*Nothing was pasted/)).toBeTruthy()
  expect(drafts()).toEqual([line('11'), line('12')])
})

test('selections are added after the active row, moved and removed', async () => {
  const { user, cell, drafts, button } = await anEditor()
  await user.click(cell(0, 0))
  await user.click(button('Add selection'))
  expect(drafts().map(({ selection }) => selection)).toEqual(['11', '13', '12'])
  await user.click(button('Move down'))
  expect(drafts().map(({ selection }) => selection)).toEqual(['11', '12', '13'])
  await user.click(button('Remove 1 row'))
  expect(drafts().map(({ selection }) => selection)).toEqual(['11', '12'])
})

test('a click on the machine’s front opens the row of that place', async () => {
  const { user, cell } = await anEditor()
  await user.click(screen.getByRole('button', { name: /^12, / }))
  expect(cell(1, 0).getAttribute('data-active')).toBe('true')
})
