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

/** Adds serials to the whitelist, typed or from a CSV file. */
export default function WhitelistCreateScreen() {
  const { t } = useTranslation(['screen-whitelist', 'errors', 'ui'])
  const format = useFormat()
  const go = useGo()
  const merchant = useMerchant()
  const [of, setOf] = useState('')
  const [text, setText] = useKeptState('serials', '')
  const [fault, setFault] = useState<string>()
  const [outcome, setOutcome] = useState<WhitelistOutcome>()
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
      setOutcome(
        await add.mutateAsync({ params: { merchantId }, body: { serials: serials.map(({ serial }) => serial) } }),
      )
    } catch (error) {
      setFault(sentenceOf((key, values) => t(key, values), error))
    }
  }
  // Repeated lines need no correction.
  const wrong = (outcome?.skipped ?? []).filter(({ reason }) => reason === 'notSerial').map((one) => one.text)
  const named = (kind: 'renewed' | 'enrolled') =>
    outcome &&
    outcome[kind].length > 0 && (
      <div key={kind}>
        <Text my="part">{t(`screen-whitelist:outcome.${kind}`, { number: format.number(outcome[kind].length) })}</Text>
        <Box component="ul" mah={200} mt="tight" pl="lg" fz="fine" className={classes.list}>
          {outcome[kind].slice(0, 200).map((serial) => (
            <li key={serial}>{serial}</li>
          ))}
        </Box>
      </div>
    )
  return (
    <>
      <ScreenHeader title={t('screen-whitelist:create')} />
      <Stack gap="md" maw={640}>
        {outcome ? (
          <Card title={t('screen-whitelist:outcome.title')}>
            <Stack gap="md">
              <Text my="part" role="status">
                {t('screen-whitelist:outcome.added', { count: outcome.added, number: format.number(outcome.added) })}{' '}
                {t('screen-whitelist:outcome.until')} <When at={outcome.expiresAt} />
              </Text>
              {outcome.skippedTotal > 0 && (
                <div>
                  <Text my="part">
                    {t('screen-whitelist:outcome.skipped', {
                      count: outcome.skippedTotal,
                      number: format.number(outcome.skippedTotal),
                    })}
                  </Text>
                  <Box component="ul" mah={200} mt="tight" pl="lg" fz="fine" className={classes.list}>
                    {outcome.skipped.slice(0, 200).map(({ line, text: wrong, reason }) => (
                      <li key={line}>
                        {t('screen-whitelist:outcome.line', {
                          line: format.number(serials[line - 1]?.line ?? line),
                          text: wrong,
                          reason: t(`screen-whitelist:reason.${reason}`),
                        })}
                      </li>
                    ))}
                  </Box>
                </div>
              )}
              {(['renewed', 'enrolled'] as const).map(named)}
              <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
                <Button onClick={() => void go({ to: '/manage/screen-configuration-whitelist' })}>
                  {t('screen-whitelist:outcome.list')}
                </Button>
                {wrong.length > 0 && (
                  <Button
                    variant="default"
                    onClick={() => {
                      setOutcome(undefined)
                      setText(wrong.join('\n'))
                    }}
                  >
                    {t('screen-whitelist:outcome.correct')}
                  </Button>
                )}
                <Button
                  variant="default"
                  onClick={() => {
                    setOutcome(undefined)
                    setText('')
                  }}
                >
                  {t('screen-whitelist:outcome.more')}
                </Button>
              </Flex>
            </Stack>
          </Card>
        ) : (
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
        )}
      </Stack>
    </>
  )
}
