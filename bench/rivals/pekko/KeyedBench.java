import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;

/**
 * Calls to entities of cluster sharding on one node, in so many lanes: {@code KeyedBench <count> <lanes> <hot keys>
 * <cold keys> <places>}. Seven of eight calls go to the hot keys, one to the cold ones. Prints
 * {@code done <count> <microseconds>}.
 */
public final class KeyedBench {
  record Ask(int sequence, ActorRef<Reply> replyTo) {}

  record Reply(String key, int sequence) {}

  static final Duration TIMEOUT = Duration.ofSeconds(60);
  static final EntityTypeKey<Ask> TICKET = EntityTypeKey.create(Ask.class, "ticket");

  static Behavior<Ask> ticket(String key) {
    return Behaviors.receiveMessage(
        ask -> {
          ask.replyTo().tell(new Reply(key, ask.sequence()));
          return Behaviors.same();
        });
  }

  static int laneCount;
  static int hotCount;
  static int coldCount;
  static ClusterSharding sharding;

  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[0]);
    laneCount = Integer.parseInt(args[1]);
    hotCount = Integer.parseInt(args[2]);
    coldCount = Integer.parseInt(args[3]);
    var config =
        ConfigFactory.parseString(
                "pekko { loglevel = OFF, stdout-loglevel = OFF, log-dead-letters = off\n"
                    + "  actor.provider = cluster\n"
                    + "  remote.artery.canonical { hostname = 127.0.0.1, port = 0 }\n"
                    + "  cluster.jmx.enabled = off\n"
                    + "  cluster.sharding.number-of-shards = 4\n"
                    + "  cluster.sharding.passivation {\n"
                    + "    strategy = lru\n"
                    + "    lru { replacement.policy = least-recently-used, active-entity-limit = "
                    + args[4]
                    + "\n  } } }")
            .withFallback(ConfigFactory.load());
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "bench", config);
    var cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    sharding = ClusterSharding.get(system);
    sharding.init(Entity.of(TICKET, context -> ticket(context.getEntityId())));
    run(count / 5);
    long startedNanos = System.nanoTime();
    run(count);
    long micros = (System.nanoTime() - startedNanos) / 1000;
    System.out.println("done " + count + " " + micros);
    Runtime.getRuntime().halt(0);
  }

  static String keyOf(int sequence) {
    return sequence % 8 == 0
        ? "cold" + sequence / 8 % coldCount
        : "hot" + sequence % hotCount;
  }

  static void run(int count) throws InterruptedException {
    var next = new AtomicInteger();
    var done = new CountDownLatch(laneCount);
    for (int lane = 0; lane < laneCount; lane += 1) step(count, next, done);
    done.await();
  }

  static void step(int count, AtomicInteger next, CountDownLatch done) {
    int sequence = next.incrementAndGet();
    if (sequence > count) {
      done.countDown();
      return;
    }
    String key = keyOf(sequence);
    sharding
        .entityRefFor(TICKET, key)
        .<Reply>ask(replyTo -> new Ask(sequence, replyTo), TIMEOUT)
        .whenComplete(
            (reply, error) -> {
              if (error != null || reply.sequence() != sequence || !reply.key().equals(key)) {
                System.err.println("call " + sequence + " to " + key + ": " + reply + " " + error);
                Runtime.getRuntime().halt(1);
              }
              step(count, next, done);
            });
  }
}
