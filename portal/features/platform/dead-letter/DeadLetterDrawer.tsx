import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type DeadLetterContent, deadLetters } from '#contract/platform/dead-letter.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { DetailDrawer, DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './DeadLetter.module.css'
import { replayLooks, replayStateOf } from './replayState.ts'
import { useReasonName } from './useReasonName.ts'

/** Refresh interval while a letter waits for the gateway. */
const waitingMs = 2_000

/** One letter with its payload, and a button to process it again. */
export function DeadLetterDrawer({ letterId, close }: { letterId: string | undefined; close: () => void }) {
  const { t } = useTranslation('dead-letter')
  const reasonName = useReasonName()
  const { data, error, refetch } = useQuery({
    ...queryOf(deadLetters.getDeadLetter, { params: { letterId: letterId ?? '' } }),
    enabled: letterId !== undefined,
    refetchInterval: ({ state }) => (state.data && replayStateOf(state.data) === 'waiting' ? waitingMs : false),
  })
  const replay = useCommand(deadLetters.replayDeadLetter, { says: 'dead-letter:asked' })
  const letter = letterId ? data : undefined
  const state = letter && replayStateOf(letter)
  return (
    <DetailDrawer
      isOpen={letterId !== undefined}
      close={close}
      title={letter && reasonName(letter.reason)}
      badges={state && <StatusBadge of={replayLooks} value={state} />}
      error={letter ? undefined : error}
      retry={refetch}
      actions={
        letter &&
        state === 'aside' && (
          <Button loading={replay.isPending} onClick={() => replay.mutate({ params: { letterId: letter.id } })}>
            {t('replay')}
          </Button>
        )
      }
    >
      {letter && <Letter letter={letter} />}
    </DetailDrawer>
  )
}

function Letter({ letter }: { letter: DeadLetterContent }) {
  const { t } = useTranslation('dead-letter')
  const format = useFormat()
  const { timeZone } = useMerchant()
  const { replay } = letter
  return (
    <>
      <DrawerPart name={t('part.why')}>
        <Text mb="near" className="breaks">
          {letter.detail || '–'}
        </Text>
        {replay?.detail && (
          <Text mb="near" className="breaks">
            {t('again', { detail: replay.detail })}
          </Text>
        )}
      </DrawerPart>
      <DrawerPart name={t('part.where')} note={timeZone}>
        <Facts
          facts={[
            { name: t('column.at'), value: <When at={letter.at} as="exact" timeZone={timeZone} /> },
            {
              name: t('column.serial'),
              value: letter.serial && <CopyId value={letter.serial} />,
            },
            {
              name: t('column.merchant'),
              value:
                letter.posId && letter.merchantId ? (
                  <PlaceLink
                    place={{
                      to: '/devices/$posId',
                      params: { posId: letter.posId },
                    }}
                  >
                    {letter.merchantName}
                  </PlaceLink>
                ) : (
                  letter.merchantName
                ),
            },
            { name: t('column.kind'), value: letter.kind },
            { name: t('column.transport'), value: letter.transport.toUpperCase() },
            ...(replay ? [{ name: t('askedBy'), value: replay.requestedBy }] : []),
          ]}
        />
      </DrawerPart>
      <DrawerPart
        name={t('part.payload')}
        note={t(letter.isCut ? 'bytesCut' : 'bytes', { count: letter.size, number: format.number(letter.size) })}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys */}
        <pre className={classes.payload} tabIndex={0} aria-label={t('part.payload')}>
          {letter.payload}
        </pre>
        {!letter.isText && (
          <Text mt="snug" c="dimmed" fz="fine">
            {t('hex')}
          </Text>
        )}
      </DrawerPart>
    </>
  )
}
