%% Start and termination of a registered gen_server under a simple_one_for_one supervisor, one after the other; prints
%% `done <count> <microseconds>`.
-module(child_bench).
-behaviour(supervisor).
-export([main/1, init/1]).

init([]) ->
    {ok, {#{strategy => simple_one_for_one, intensity => 3, period => 60},
          [#{id => worker, start => {gen_server, start_link, [{local, worker}, idle_server, 0, []]}, restart => transient}]}}.

main(Count) ->
    logger:set_primary_config(level, none),
    {ok, _} = supervisor:start_link({local, pool}, ?MODULE, []),
    loop(Count div 10),
    Start = erlang:monotonic_time(microsecond),
    loop(Count),
    Elapsed = erlang:monotonic_time(microsecond) - Start,
    io:format("done ~p ~p~n", [Count, Elapsed]).

loop(0) -> ok;
loop(N) ->
    {ok, Pid} = supervisor:start_child(pool, []),
    ok = supervisor:terminate_child(pool, Pid),
    loop(N - 1).
