import { Box, Button, Flex, Stack, Text, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  mostWhitelistLines,
  screenWhitelist,
  type WhitelistOutcome,
} from '#contract/configurations/screen-whitelist.ts'
import { useCommand } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { FilePick } from '#portal/ui/form/fields/FileBox.tsx'
import { MerchantChoice } from '#portal/ui/form/MerchantChoice.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { sentenceOf } from '../../../app/apiError.ts'
import classes from './Screen.module.css'
import { serialsIn } from './serialsIn.ts'

/** The largest file: many times the maximum number of serials. */
const largestFile = 5 * 1024 * 1024
/** The most serials or lines listed of an outcome. */
const mostListed = 200

/** Adds serials to the whitelist, typed or from a CSV file. */
export default function WhitelistCreateScreen() {
  const { t } = useTranslation('screen-whitelist')
  const [of, setOf] = useState('')
  const [text, setText] = useKeptState('serials', '')
  const [outcome, setOutcome] = useState<WhitelistOutcome>()
  return (
    <>
      <ScreenHeader title={t('create')} />
      <Stack gap="md" maw={640}>
        {outcome ? (
          <OutcomeCard
            outcome={outcome}
            serials={serialsIn(text)}
            again={(next) => {
              setOutcome(undefined)
              setText(next)
            }}
          />
        ) : (
          <SerialsCard text={text} setText={setText} of={of} setOf={setOf} onDone={setOutcome} />
        )}
      </Stack>
    </>
  )
}

interface SerialsProps {
  text: string
  setText: (text: string) => void
  /** The merchant, under all merchants. */
  of: string
  setOf: (merchantId: string) => void
  onDone: (outcome: WhitelistOutcome) => void
}

/** The serials to add, and under all merchants their merchant. */
function SerialsCard({ text, setText, of, setOf, onDone }: SerialsProps) {
  const { t } = useTranslation(['screen-whitelist', 'errors', 'ui'])
  const format = useFormat()
  const go = useGo()
  const merchant = useMerchant()
  const [fault, setFault] = useState<string>()
  const add = useCommand(screenWhitelist.addToWhitelist, { isQuiet: true })
  const merchantId = (merchant.isAll && of) || merchant.id
  const serials = serialsIn(text)
  const isTooMany = serials.length > mostWhitelistLines
  const most = format.number(mostWhitelistLines)
  const take = async (file: File) => {
    setFault(undefined)
    if (file.size > largestFile) return setFault(t('screen-whitelist:tooMany', { most }))
    setText(await file.text())
  }
  const save = async () => {
    setFault(undefined)
    try {
      onDone(await add.mutateAsync({ params: { merchantId }, body: { serials: serials.map(({ serial }) => serial) } }))
    } catch (error) {
      setFault(sentenceOf((key, values) => t(key, values), error))
    }
  }
  return (
    <Card title={t('screen-whitelist:card')}>
      <Stack gap="md">
        {merchant.isAll && <MerchantChoice value={of} choose={setOf} />}
        <Textarea
          label={t('screen-whitelist:field.serials')}
          description={t('screen-whitelist:hint')}
          autosize
          minRows={6}
          maxRows={16}
          value={text}
          error={isTooMany ? t('screen-whitelist:tooMany', { most }) : undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div>
          <FilePick
            accept=".csv,.txt,text/csv,text/plain"
            take={(file) => void take(file)}
            leftSection={<IconFileUpload size={15} aria-hidden />}
          >
            {t('screen-whitelist:import')}
          </FilePick>
        </div>
        {fault && (
          <Text c="crit" fz="fine" role="alert">
            {fault}
          </Text>
        )}
        <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
          <Button
            loading={add.isPending}
            disabled={serials.length === 0 || isTooMany || (merchant.isAll && of === '')}
            onClick={() => void save()}
          >
            {t('screen-whitelist:add', { count: serials.length, number: format.number(serials.length) })}
          </Button>
          <Button variant="default" onClick={() => void go({ to: '/manage/screen-configuration-whitelist' })}>
            {t('ui:cancel')}
          </Button>
        </Flex>
      </Stack>
    </Card>
  )
}

interface OutcomeProps {
  outcome: WhitelistOutcome
  serials: ReturnType<typeof serialsIn>
  /** Returns to the form with these serials. */
  again: (text: string) => void
}

/** How many serials were added, and which were skipped. */
function OutcomeCard({ outcome, serials, again }: OutcomeProps) {
  const { t } = useTranslation('screen-whitelist')
  const format = useFormat()
  const go = useGo()
  // Repeated lines need no correction.
  const wrong = outcome.skipped.filter(({ reason }) => reason === 'notSerial').map((one) => one.text)
  return (
    <Card title={t('outcome.title')}>
      <Stack gap="md">
        <Text my="part" role="status">
          {t('outcome.added', { count: outcome.added, number: format.number(outcome.added) })} {t('outcome.until')}{' '}
          <When at={outcome.expiresAt} />
        </Text>
        {outcome.skippedTotal > 0 && <SkippedLines outcome={outcome} serials={serials} />}
        {(['renewed', 'enrolled'] as const).map((kind) => (
          <SerialList key={kind} kind={kind} serials={outcome[kind]} />
        ))}
        <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
          <Button onClick={() => void go({ to: '/manage/screen-configuration-whitelist' })}>{t('outcome.list')}</Button>
          {wrong.length > 0 && (
            <Button variant="default" onClick={() => again(wrong.join('\n'))}>
              {t('outcome.correct')}
            </Button>
          )}
          <Button variant="default" onClick={() => again('')}>
            {t('outcome.more')}
          </Button>
        </Flex>
      </Stack>
    </Card>
  )
}

/** The lines that were skipped, each with its reason. */
function SkippedLines({ outcome, serials }: Pick<OutcomeProps, 'outcome' | 'serials'>) {
  const { t } = useTranslation('screen-whitelist')
  const format = useFormat()
  const { skipped, skippedTotal } = outcome
  return (
    <div>
      <Text my="part">{t('outcome.skipped', { count: skippedTotal, number: format.number(skippedTotal) })}</Text>
      <Box component="ul" mah={200} mt="tight" pl="lg" fz="fine" className={classes.list}>
        {skipped.slice(0, mostListed).map(({ line, text, reason }) => (
          <li key={line}>
            {t('outcome.line', {
              line: format.number(serials[line - 1]?.line ?? line),
              text,
              reason: t(`reason.${reason}`),
            })}
          </li>
        ))}
      </Box>
    </div>
  )
}

/** Serials that were listed already, or whose screens are enrolled. */
function SerialList({ kind, serials }: { kind: 'renewed' | 'enrolled'; serials: readonly string[] }) {
  const { t } = useTranslation('screen-whitelist')
  const format = useFormat()
  if (serials.length === 0) return null
  return (
    <div>
      <Text my="part">{t(`outcome.${kind}`, { number: format.number(serials.length) })}</Text>
      <Box component="ul" mah={200} mt="tight" pl="lg" fz="fine" className={classes.list}>
        {serials.slice(0, mostListed).map((serial) => (
          <li key={serial}>{serial}</li>
        ))}
      </Box>
    </div>
  )
}
