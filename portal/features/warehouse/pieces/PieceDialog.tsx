import { ActionIcon, Button, Flex, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { products } from '#contract/catalogue/product.ts'
import { Day } from '#contract/frame/shapes.ts'
import { mostPieceLines, NewPieceOperation, pieceOperations } from '#contract/warehouse/piece-operation.ts'
import { type StockPlace, stockPlaces } from '#contract/warehouse/stock-place.ts'
import { useCommand } from '#portal/app/api.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { DayInput } from '#portal/ui/form/choices/DayInput.tsx'
import { FindOne } from '#portal/ui/form/choices/FindSelect.tsx'
import { MoneyInput } from '#portal/ui/form/fields/MoneyField.tsx'
import { NumberInput } from '#portal/ui/form/fields/NumberField.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import type { Option } from '#portal/ui/value/option.ts'

type Kind = NewPieceOperation['kind']

interface Line {
  key: string
  product: Option | null
  pieces: number | string | null
  unitCost: number | string | null
  expiresOn: string | null
  lotCode: string
}

const newLine = (): Line => ({
  key: crypto.randomUUID(),
  product: null,
  pieces: null,
  unitCost: null,
  expiresOn: null,
  lotCode: '',
})

interface Input {
  /** The operation's id: the same dialog sent twice is booked once. */
  id: string
  to: Option | null
  supplier: string
  document: string
  note: string
  lines: Line[]
}

const orNull = (text: string) => text.trim() || null

/** The operation as the server takes it; undefined while something is missing or cannot be read. */
function operationOf(kind: Kind, { id, to, supplier, document, note, lines }: Input): NewPieceOperation | undefined {
  const common = { kind, id, document: orNull(document), note: orNull(note) }
  const products = lines.map(({ product, pieces }) => ({ productId: product?.value, pieces }))
  const contents: Record<Kind, object> = {
    purchase: {
      supplier: orNull(supplier),
      lines: lines.map(({ unitCost, expiresOn, lotCode }, at) => ({
        ...products[at],
        unitCost,
        expiresOn,
        lotCode: orNull(lotCode),
      })),
    },
    transfer: { toStockPlaceId: to?.value, lines: products },
    supplierReturn: { supplier: orNull(supplier), lines: products },
    waste: { lines: products },
    count: { lines: products.map(({ productId, pieces }) => ({ productId, counted: pieces })) },
  }
  return NewPieceOperation.safeParse({ ...common, ...contents[kind] }).data
}

const isWhole = (value: Line['pieces'], least: number) => Number.isInteger(value) && Number(value) >= least
const isAmount = (value: Line['unitCost']) => value === null || (Number.isInteger(value) && Number(value) >= 0)
const isDay = (value: string | null) => value === null || Day.safeParse(value).success

/** Books what entered or left a place, or what was counted there. */
export function PieceDialog({ place, kind, close }: { place: StockPlace; kind: Kind; close: () => void }) {
  const { t } = useTranslation(['piece', 'ui', 'form'])
  const [input, setInput] = useKeptState<Input>(`${kind} at ${place.id}`, () => ({
    id: crypto.randomUUID(),
    to: null,
    supplier: '',
    document: '',
    note: '',
    lines: [newLine()],
  }))
  const [isTried, setTried] = useState(false)
  const book = useCommand(pieceOperations.bookPieces, { says: 'piece:booked', onDone: close })
  const set = (part: Partial<Input>) => setInput((now) => ({ ...now, ...part }))
  const setLine = (key: string, part: Partial<Line>) =>
    setInput((now) => ({ ...now, lines: now.lines.map((line) => (line.key === key ? { ...line, ...part } : line)) }))
  const operation = operationOf(kind, input)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (operation) book.mutate({ params: { merchantId: place.merchantId, stockPlaceId: place.id }, body: operation })
  }
  const hasSupplier = kind === 'purchase' || kind === 'supplierReturn'
  return (
    <Dialog onClose={close} title={`${t(`do.${kind}`)}: ${place.name}`} size="xl">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {kind === 'count' && <Text c="dimmed">{t('form.blind')}</Text>}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="near">
            {kind === 'transfer' && (
              <FindOne
                row={stockPlaces.listStockPlaces}
                merchantId={place.merchantId}
                label={t('form.to')}
                value={input.to}
                choose={(to) => set({ to })}
                required
                isFirst
                error={isTried && !input.to && t('form:rule.required')}
              />
            )}
            {hasSupplier && (
              <TextInput
                label={t('form.supplier')}
                value={input.supplier}
                maxLength={120}
                onChange={({ currentTarget }) => set({ supplier: currentTarget.value })}
              />
            )}
            <TextInput
              label={t(kind === 'purchase' ? 'form.document' : 'form.number')}
              value={input.document}
              maxLength={80}
              onChange={({ currentTarget }) => set({ document: currentTarget.value })}
            />
          </SimpleGrid>
          {input.lines.map((line, at) => (
            <LineFields
              key={line.key}
              kind={kind}
              place={place}
              line={line}
              number={at + 1}
              isTried={isTried}
              isTwice={
                kind !== 'purchase' &&
                input.lines.some((one) => one !== line && one.product?.value === line.product?.value)
              }
              set={(part) => setLine(line.key, part)}
              remove={
                input.lines.length > 1
                  ? () => set({ lines: input.lines.filter(({ key }) => key !== line.key) })
                  : undefined
              }
            />
          ))}
          <Button
            variant="subtle"
            leftSection={<IconPlus size={15} aria-hidden />}
            disabled={input.lines.length >= mostPieceLines}
            onClick={() => set({ lines: [...input.lines, newLine()] })}
          >
            {t('form.addLine')}
          </Button>
          <TextInput
            label={t('form.note')}
            value={input.note}
            maxLength={500}
            onChange={({ currentTarget }) => set({ note: currentTarget.value })}
          />
          <Flex gap="near" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" loading={book.isPending}>
              {t('form.save')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}

interface LineProps {
  kind: Kind
  place: StockPlace
  line: Line
  number: number
  isTried: boolean
  /** Another line has its product, of which the operation takes one line. */
  isTwice: boolean
  set: (part: Partial<Line>) => void
  remove: (() => void) | undefined
}

/** A product with its pieces; of a delivery also cost, last day of sale and lot. */
function LineFields({ kind, place, line, number, isTried, isTwice, set, remove }: LineProps) {
  const { t } = useTranslation(['piece', 'ui', 'form'])
  const name = line.product?.label ?? t('form.line', { number })
  const missing = isTried && !line.product && t('form:rule.required')
  const productError = missing || (isTried && isTwice && t('form:rule.unique'))
  return (
    <Flex gap="near" align="flex-start" role="group" aria-label={name}>
      <SimpleGrid cols={{ base: 1, sm: kind === 'purchase' ? 5 : 2 }} spacing="near" flex={1}>
        <FindOne
          row={products.listProducts}
          merchantId={place.merchantId}
          label={t('form.product')}
          value={line.product}
          choose={(product) => set({ product })}
          required
          error={productError}
        />
        <NumberInput
          label={t(kind === 'count' ? 'form.counted' : 'form.pieces')}
          value={line.pieces}
          set={(pieces) => set({ pieces })}
          digits={0}
          required
          error={isTried && !isWhole(line.pieces, kind === 'count' ? 0 : 1) && t('form:rule.whole')}
        />
        {kind === 'purchase' && (
          <>
            <MoneyInput
              label={t('form.unitCost')}
              value={line.unitCost}
              set={(unitCost) => set({ unitCost })}
              currency={place.currency}
              error={isTried && !isAmount(line.unitCost) && t('form:rule.number')}
            />
            <DayInput
              label={t('form.expiresOn')}
              value={line.expiresOn}
              set={(expiresOn) => set({ expiresOn })}
              error={isTried && !isDay(line.expiresOn) && t('form:rule.date')}
            />
            <TextInput
              label={t('form.lotCode')}
              value={line.lotCode}
              maxLength={40}
              onChange={({ currentTarget }) => set({ lotCode: currentTarget.value })}
            />
          </>
        )}
      </SimpleGrid>
      {remove && (
        <ActionIcon variant="subtle" mt={26} aria-label={t('form.removeLine', { name })} onClick={remove}>
          <IconX size={15} aria-hidden />
        </ActionIcon>
      )}
    </Flex>
  )
}
