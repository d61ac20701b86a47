import { Button, Drawer, Flex, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Audit, audits } from '#contract/audits/audit.ts'
import { download, queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import { crcLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './AuditDrawer.module.css'
import { AuditReading } from './AuditReading.tsx'
import { RawFile } from './RawFile.tsx'
import { ReadAt } from './ReadAt.tsx'
import { type AuditPart, auditParts, useAuditPlace } from './useAuditPlace.ts'
import { useOriginName } from './useOriginName.ts'

const CounterChanges = lazyPart(() => import('./reconciliation/CounterChanges.tsx'))
const SalesComparison = lazyPart(() => import('./reconciliation/SalesComparison.tsx'))

/** One audit: its contents in sections, and the file as the machine sent it. */
export default function AuditDrawer({ auditId, posId, close }: { auditId: string; posId: string; close: () => void }) {
  const { t } = useTranslation(['audit', 'vocabulary'])
  const merchant = useMerchant()
  const isPhone = useIsPhone()
  const search = useAddressQuery()
  const addressPart = oneOf(search, 'part')
  const part: AuditPart = auditParts.find((each) => each === addressPart) ?? 'read'
  const line = Number(oneOf(search, 'line')) || undefined
  const { showPart, showLine } = useAuditPlace()
  const params = { merchantId: merchant.id, posId, auditId }
  const answer = useQuery({ ...queryOf(audits.getAudit, { params }), staleTime: Number.POSITIVE_INFINITY })
  const audit = answer.data
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={isPhone ? '100%' : 'min(960px, 92vw)'}
      title={audit ? <Title audit={audit} /> : t('audit:one')}
      closeButtonProps={{ 'aria-label': t('audit:close'), size: isPhone ? 'xl' : 'md' }}
      classNames={{ content: classes.content, header: classes.header, body: classes.body, title: classes.title }}
    >
      <Group gap="xs" wrap="nowrap" justify="space-between" mb="part" className={classes.bar}>
        <Flex
          component="fieldset"
          gap="hair"
          display="inline-flex"
          p="hair"
          bdrs="md"
          bg="var(--sunken)"
          className={classes.parts}
        >
          <legend className="unseen">{t('audit:parts')}</legend>
          {auditParts.map((each) => (
            <button key={each} type="button" aria-pressed={each === part} onClick={() => showPart(each)}>
              {t(`audit:part.${each}`)}
            </button>
          ))}
        </Flex>
        <Button
          variant="default"
          disabled={!audit}
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => audit && void save(params, audit)}
        >
          {t('audit:download')}
        </Button>
      </Group>
      {answer.error && !audit ? (
        <ErrorState error={answer.error} retry={answer.refetch} />
      ) : !audit ? (
        <Stack gap="sm" aria-busy="true">
          {Array.from({ length: 5 }, (_, index) => (
            // Bars without identity.
            <Panel key={index} component="span" h={120} />
          ))}
        </Stack>
      ) : part === 'raw' ? (
        <RawFile
          params={params}
          warnings={audit.content.warnings}
          codePage={audit.content.envelope.codePage}
          line={line}
        />
      ) : part === 'between' ? (
        <Part>
          <CounterChanges place={params} />
        </Part>
      ) : part === 'compared' ? (
        <Part>
          <SalesComparison place={params} />
        </Part>
      ) : (
        <AuditReading content={audit.content} showLine={showLine} />
      )}
    </Drawer>
  )
}

function Title({ audit }: { audit: Audit }) {
  const { t } = useTranslation(['audit', 'vocabulary'])
  const format = useFormat()
  const originName = useOriginName()
  const { port } = audit
  return (
    <>
      <Flex component="span" rowGap="tight" columnGap="xs" wrap="wrap" align="center" fz="figure" fw={660} lh="lg">
        <span>
          {t('audit:one')} <ReadAt audit={audit} />
        </span>
        <StatusBadge of={crcLooks} value={audit.crc} />
      </Flex>
      <Text span display="block" c="dimmed" fz="sm" fw={400}>
        {[
          originName(audit),
          t(`vocabulary:auditPort.${port}`),
          t('audit:bytes', { count: audit.size, size: format.number(audit.size) }),
        ].join(' · ')}
      </Text>
    </>
  )
}

/** Saves the machine's original bytes. */
async function save(params: { merchantId: string; posId: string; auditId: string }, audit: Audit) {
  const name = `${audit.content.identity.serial ?? 'audit'}-${audit.readAt.slice(0, 19).replaceAll(':', '')}.eva`
  try {
    await download(audits.getRawAudit, { params }, name.replace(/[^\w.-]+/g, '_'))
  } catch (error) {
    toast.error(error)
  }
}
