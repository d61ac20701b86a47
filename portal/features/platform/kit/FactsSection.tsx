import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import QrCode from '#portal/ui/value/QrCode.tsx'
import { Part, Row } from './Part.tsx'

const serial = '7700000001'
const id = '019ad6a2-3c41-7e5b-9d0e-5d1f3f6a2b10'

/** Serials and ids to copy, a code to scan, and names with their values. */
export function FactsSection() {
  const { t } = useTranslation('kit')
  return (
    <>
      <Part caption="CopyId">
        <Row>
          <CopyId value={serial} />
          <CopyId value={id} isShort />
          <CopyId value={null} />
        </Row>
      </Part>
      <Part caption="QrCode">
        <Box w={120} lh="0">
          <QrCode text={serial} label={serial} />
        </Box>
      </Part>
      <Part caption="Facts">
        <Facts
          facts={[
            { name: t('fact.serial'), value: <CopyId value={serial} /> },
            { name: t('fact.address'), value: t('fact.long') },
            { name: t('fact.unknown'), value: null },
          ]}
          unknown={t('fact.notReported')}
        />
      </Part>
    </>
  )
}
