import { Button, Flex, Stack } from '@mantine/core'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint, ClientInput } from '#contract/frame/endpoint.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import type { Place } from '../../app/place.ts'
import type { AssignedChoiceProps } from './AssignedChoice.tsx'

interface Props<E extends AnyEndpoint> {
  merchantId: string
  /** The record that is assigned. */
  current: { id: string; name: string } | undefined
  placeOf: (id: string) => Place
  /** Sentences: of none, of the button, of its dialog; `done` is the key of the message afterwards. */
  says: { none: string; change: string; title: string; consequence: string; save: string; done: string }
  Choice: ComponentType<AssignedChoiceProps>
  /** Assigns a record, or none. */
  row: E
  inputOf: (id: string | null) => ClientInput<E>
  onDone?: (id: string | null) => void
  /** After the name, such as whether the machine has it. */
  beside?: ReactNode
  /** After the button. */
  more?: ReactNode
  /** In the dialog, below the choice. */
  below?: (close: () => void) => ReactNode
}

/** What is assigned to a machine, with a link to it, and its change. */
export function AssignedFact<E extends AnyEndpoint>(props: Props<E>) {
  const { current, placeOf, says, beside, more, row } = props
  const mayChange = useMay(row)
  const [isOpen, setOpen] = useState(false)
  const name = current && mayChange ? <PlaceLink place={placeOf(current.id)}>{current.name}</PlaceLink> : current?.name
  return (
    <Flex component="span" rowGap="tight" columnGap="near" wrap="wrap" align="center" display="inline-flex">
      {name ?? says.none}
      {beside}
      {mayChange && (
        <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
          {says.change}
        </Button>
      )}
      {mayChange && more}
      {isOpen && <ChangeDialog {...props} close={() => setOpen(false)} />}
    </Flex>
  )
}

function ChangeDialog<E extends AnyEndpoint>(props: Props<E> & { close: () => void }) {
  const { merchantId, current, says, Choice, row, inputOf, onDone, below, close } = props
  const { t } = useTranslation('ui')
  const before = current?.id ?? null
  const [id, choose] = useState(before)
  const assign = useCommand(row, {
    says: says.done,
    onDone: () => {
      close()
      onDone?.(id)
    },
  })
  return (
    <Dialog onClose={close} title={says.title} size="md">
      <Stack gap="part">
        <p>{says.consequence}</p>
        <Choice merchantId={merchantId} current={current} choose={choose} />
        {below?.(close)}
        <Flex gap="near">
          <Button
            loading={assign.isPending}
            disabled={id === before}
            onClick={() => assign.mutate({ ...inputOf(id), isWhole: true })}
          >
            {says.save}
          </Button>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
        </Flex>
      </Stack>
    </Dialog>
  )
}
