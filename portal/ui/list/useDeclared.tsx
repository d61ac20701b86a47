import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { userMay } from '#portal/app/session/may.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { PlaceLink } from '../value/PlaceLink.tsx'
import type { Create, Empty, ItemOf, ListProps, Say } from './listProps.ts'
import type { Column, Filter } from './types.ts'

const none: readonly never[] = []
const idOf = (item: object) => (item as { id: string }).id

const resolved = <T,>(declared: T | ((say: Say) => T), say: Say): T =>
  typeof declared === 'function' ? (declared as (say: Say) => T)(say) : declared

function CreateButton({ name, icon, does }: Create) {
  if (typeof does === 'function')
    return (
      <Button leftSection={icon} onClick={does}>
        {name}
      </Button>
    )
  return (
    <Button<typeof PlaceLink> component={PlaceLink} place={does} leftSection={icon}>
      {name}
    </Button>
  )
}

/** A declared list with the parts that the frame adds: its texts, the merchant in its path, its button. */
export function useDeclared<E extends AnyEndpoint>(declared: ListProps<E>) {
  const { row, words, create } = declared
  const { t } = useTranslation(words ?? 'list')
  const format = useFormat()
  const merchant = useMerchant()
  const { me } = useSession()
  const say = useMemo((): Say => ({ t, format }), [t, format])
  const columns = useMemo((): readonly Column<ItemOf<E>>[] => resolved(declared.columns, say), [declared.columns, say])
  const filters = useMemo((): readonly Filter[] => resolved(declared.filters ?? none, say), [declared.filters, say])
  const ofMerchant = row.path.includes('{merchantId}') ? { merchantId: merchant.id } : undefined
  const params = ofMerchant || declared.params ? { ...ofMerchant, ...(declared.params as object) } : undefined
  const allowedCreate = create && (!create.needs || (me && userMay(me, create.needs))) ? create : undefined
  const title = declared.title ?? t('title')
  const empty: Empty = declared.empty ?? { title: t('empty.title'), text: t('empty.text') }
  return {
    ...declared,
    columns,
    filters,
    params,
    title,
    keyOf: (declared.keyOf ?? idOf) as (item: ItemOf<E>) => string,
    empty: {
      ...empty,
      action: empty.action ?? (allowedCreate && <CreateButton {...allowedCreate} icon={undefined} />),
    },
    actions:
      declared.actions || allowedCreate ? (
        <>
          {declared.actions}
          {allowedCreate && <CreateButton {...allowedCreate} />}
        </>
      ) : undefined,
  }
}
