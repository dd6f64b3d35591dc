/**
 * Signatures of messages between processes, over any link: `SignedLink` is a link around another one.
 *
 * It must not know where keys come from.
 */
export {
  type SignatureFault,
  SignedLink,
  type SignedLinkInit,
  type Signer,
  type Verifier,
} from "./signed-link.ts";
